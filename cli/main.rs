//! The `csp` command: options, terminal, exit codes. Everything else is in the libraries.

mod args;
mod ascii;
mod bounds;
mod cards;
mod check;
mod complete;
#[cfg(target_os = "linux")]
mod confined;
mod counterexample;
mod deal;
mod diagnostics;
mod explore;
mod games;
mod graph;
mod hidden;
mod language;
mod live;
mod loading;
mod manual;
mod output;
mod play;
mod progress;
mod quantity;
mod refines;
mod repl;
mod scale;
mod solve;
mod states;
mod survey;
mod text;
#[cfg(feature = "web")]
mod web;

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::args::{Arguments, Refines, Verb};
use crate::output::{Failure, Terminal};

/// Terms and values are many small allocations: it makes compilation a quarter faster
/// (`cargo bench --bench compile` with `--no-default-features`).
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    if let Some(code) = confined::run() {
        return code;
    }
    let arguments = match command_line() {
        Ok(arguments) => arguments,
        Err(error) => return told(&error),
    };
    let terminal = Terminal::new(arguments.terminal.color, arguments.terminal.ascii);
    interrupt::install();
    // Scripts recurse as deeply as they like: evaluation has a stack of its own.
    let result = csp_driver::try_on_deep_stack(|| run(&arguments.verb, &terminal))
        .unwrap_or_else(|none| Err(Failure::Message(none.to_string())));
    match result {
        Ok(code) => ExitCode::from(code),
        Err(Failure::Told) => ExitCode::from(2),
        Err(Failure::Message(message)) => {
            terminal.error(&message);
            ExitCode::from(2)
        }
    }
}

/// Reads the command line; under the name `refines` the command is that verb.
fn command_line() -> Result<Arguments, clap::Error> {
    let name = std::env::args_os().next();
    let name = name.as_deref().map(Path::new).and_then(Path::file_stem);
    if name == Some("refines".as_ref()) {
        return Refines::try_parse().map(Arguments::from);
    }
    Arguments::try_parse()
}

/// Prints help, the version, or what is wrong with the options.
fn told(error: &clap::Error) -> ExitCode {
    let asked = std::env::args_os().any(|word| word == "--ascii");
    let printed = if asked || !output::unicode() {
        let text = error.render().to_string();
        let text = ascii::spelt(&text);
        if error.use_stderr() {
            std::io::stderr().lock().write_all(text.as_bytes())
        } else {
            std::io::stdout().lock().write_all(text.as_bytes())
        }
    } else {
        error.print()
    };
    match printed {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => ExitCode::from(2),
        _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
    }
}

fn run(verb: &Verb, terminal: &Terminal) -> Result<u8, Failure> {
    match verb {
        Verb::Check(options) => check::run(options, terminal),
        Verb::Solve(options) => solve::run(options, terminal),
        Verb::Survey(options) if options.hidden => hidden::survey(options),
        Verb::Survey(options) => survey::run(options, terminal),
        Verb::Hint(options) => hidden::hint(options),
        Verb::Deal(options) => deal::run(options, terminal),
        Verb::Games(options) => games::list(options, terminal),
        Verb::Rules(options) => games::rules(options, terminal),
        Verb::Play(options) => play::run(options, terminal),
        Verb::Typecheck(options) => language::typecheck(options, terminal),
        Verb::Lint(options) => language::lint(options, terminal),
        Verb::Eval(options) => language::eval(options, terminal),
        Verb::Graph(options) => graph::run(options, terminal),
        Verb::Explore(options) => explore::run(options, terminal),
        Verb::Bounds(options) => bounds::run(options, terminal),
        Verb::Live(options) => live::run(options, terminal),
        Verb::Repl(options) => repl::run(options, terminal),
        Verb::Scale(options) => scale::run(options, terminal),
        #[cfg(feature = "web")]
        Verb::Web(options) => web::run(options, terminal),
        Verb::Refines(options) => refines::run(options, terminal),
        Verb::Explain { code } => language::explain(code.as_deref(), terminal),
        Verb::Completions { shell } => {
            output::print(&complete::script(*shell, &mut Arguments::command())).map(|()| 0)
        }
        Verb::Complete { words } => output::print(&complete::values(words)).map(|()| 0),
        Verb::Man { verb, folder } => manual::run(verb.as_deref(), folder.as_deref()),
    }
}

/// Ctrl-C asks the work under way to stop; once more, a while later, it ends the program.
pub(crate) mod interrupt {
    use std::sync::{LazyLock, OnceLock};
    use std::time::{Duration, Instant};

    use csp_driver::CancelToken;

    /// Signals that come closer together are one wish: `timeout` signals the program and then its group.
    const APART: Duration = Duration::from_secs(1);

    static FIRST: OnceLock<Instant> = OnceLock::new();

    /// What all work of the command is given.
    static TOKEN: LazyLock<CancelToken> = LazyLock::new(CancelToken::new);

    /// Catches the signal.
    pub(crate) fn install() {
        // Without the handler Ctrl-C still ends the program, so failing to install it is no error.
        let _ = ctrlc::set_handler(|| {
            TOKEN.cancel();
            if FIRST.get_or_init(Instant::now).elapsed() >= APART {
                std::process::exit(130);
            }
        });
    }

    /// Whether the user wants to stop.
    pub(crate) fn requested() -> bool {
        TOKEN.is_cancelled()
    }

    /// The token that the signal cancels.
    pub(crate) fn token() -> CancelToken {
        TOKEN.clone()
    }
}
