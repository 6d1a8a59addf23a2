//! The flags of `refines`: those of FDR's command of that name, and the options of its interface,
//! which it takes as flags with dashes for dots.

use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, Parser, ValueEnum};

use super::{Arguments, TerminalArguments, Verb, version};

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum RefinesFormat {
    /// Text.
    Plain,
    /// Text, in colour where the terminal has it.
    #[value(alias = "color")]
    Colour,
    /// One JSON object for each script.
    Json,
    /// One JSON object for each script, on a line of its own.
    FramedJson,
    /// The same object as YAML.
    Yaml,
    /// The same object as XML; what FDR calls its elements is not documented, ours are called as the
    /// keys of the JSON.
    Xml,
}

/// The command under the name `refines`: that verb and nothing else.
#[derive(Debug, Parser)]
#[command(name = "refines", display_name = "csp", version = version(), disable_version_flag = true)]
#[command(
    about = "Check like FDR's `refines`, with its flags and its output",
    infer_long_args = true
)]
pub(crate) struct Refines {
    #[command(flatten)]
    terminal: TerminalArguments,
    #[command(flatten)]
    options: RefinesArguments,
}

impl From<Refines> for Arguments {
    fn from(refines: Refines) -> Self {
        Self {
            terminal: refines.terminal,
            verb: Verb::Refines(refines.options),
        }
    }
}

/// Options of `refines`.
#[derive(Clone, Debug, Args)]
pub(crate) struct RefinesArguments {
    /// Scripts; - is standard input.
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// How to write results.
    #[arg(short, long, value_enum, default_value_t = RefinesFormat::Plain, value_name = "FORMAT")]
    pub(crate) format: RefinesFormat,
    /// Results only.
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// One line for each assertion.
    #[arg(short, long)]
    pub(crate) brief: bool,
    /// Check types only.
    #[arg(short, long)]
    pub(crate) typecheck: bool,
    /// Show hidden events in traces.
    #[arg(long)]
    pub(crate) reveal_taus: bool,
    /// Text: say what each component did (the other formats always do).
    #[arg(short, long)]
    pub(crate) divide: bool,
    /// Check nothing; write the script with everything it includes as one file.
    #[arg(long, value_name = "FILE")]
    pub(crate) archive: Option<PathBuf>,
    /// Worker threads [default: one for each core].
    #[arg(long, value_name = "N", help_heading = HEADING)]
    pub(crate) refinement_bfs_workers: Option<usize>,
    /// How many distinct counterexamples to look for.
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = HEADING)]
    pub(crate) refinement_desired_counterexample_count: usize,
    /// How components are reduced before they are composed.
    #[arg(long, value_enum, default_value_t = super::LeafCompression::Sbisim, value_name = "HOW", help_heading = HEADING)]
    pub(crate) compiler_leaf_compression: super::LeafCompression,
    /// Print the version.
    #[arg(short = 'v', visible_short_alias = 'V', long, action = ArgAction::Version)]
    version: Option<bool>,
    #[command(flatten)]
    pub(crate) without_effect: WithoutEffect,
}

const HEADING: &str = "Options of FDR's interface";

/// An option that is understood and changes nothing here.
struct Idle {
    flag: &'static str,
    values: Values,
    because: &'static str,
}

/// What an option takes.
#[derive(Clone, Copy)]
enum Values {
    Switch,
    Word,
}

/// The options that are read so that scripts need not change; verdicts never depend on them.
const IDLE: &[Idle] = &[
    Idle {
        flag: "compiler-recursive-high-level",
        values: Values::Switch,
        because: "recursion through operators is always compiled so where it can be",
    },
    Idle {
        flag: "compiler-reuse-machines",
        values: Values::Switch,
        because: "machines are always shared between the assertions of a script",
    },
    Idle {
        flag: "cspm-evaluator-heap-size",
        values: Values::Word,
        because: "the evaluator takes the memory it needs",
    },
    Idle {
        flag: "cspm-profiling-active",
        values: Values::Switch,
        because: "there is no profiler of scripts",
    },
    Idle {
        flag: "cspm-profiling-flatten-recursion",
        values: Values::Switch,
        because: "there is no profiler of scripts",
    },
    Idle {
        flag: "cspm-runtime-range-checks",
        values: Values::Switch,
        because: "the fields of events are always checked",
    },
    Idle {
        flag: "refinement-cluster-homogeneous",
        values: Values::Switch,
        because: "a check runs on one machine",
    },
    Idle {
        flag: "refinement-explorer-storage-type",
        values: Values::Word,
        because: "the store is chosen by the size of a state",
    },
    Idle {
        flag: "refinement-storage-compressor",
        values: Values::Word,
        because: "stores are compact without a general compressor",
    },
    Idle {
        flag: "refinement-storage-file-cache-size",
        values: Values::Word,
        because: "states are kept in memory",
    },
    Idle {
        flag: "refinement-storage-file-checksum",
        values: Values::Switch,
        because: "states are kept in memory",
    },
    Idle {
        flag: "refinement-storage-file-compressor",
        values: Values::Word,
        because: "states are kept in memory",
    },
    Idle {
        flag: "refinement-storage-file-path",
        values: Values::Word,
        because: "states are kept in memory",
    },
    Idle {
        flag: "refinement-track-history",
        values: Values::Switch,
        because: "traces are always rebuilt from the plys",
    },
];

/// The idle options that were given, each with why it changes nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct WithoutEffect(pub(crate) Vec<(&'static str, &'static str)>);

impl Args for WithoutEffect {
    fn augment_args(command: Command) -> Command {
        command.args(IDLE.iter().map(|idle| {
            let name = match idle.values {
                Values::Switch => "on|off",
                Values::Word => "VALUE",
            };
            Arg::new(idle.flag)
                .long(idle.flag)
                .value_name(name)
                .help(format!("No effect here: {}.", idle.because))
                .help_heading(HEADING)
                .hide_short_help(true)
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for WithoutEffect {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut given = Vec::new();
        for idle in IDLE {
            let Some(value) = matches.get_one::<String>(idle.flag) else {
                continue;
            };
            if matches!(idle.values, Values::Switch) && !is_switch(value) {
                return Err(not_a_switch(idle.flag, value));
            }
            given.push((idle.flag, idle.because));
        }
        Ok(Self(given))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn is_switch(value: &str) -> bool {
    ["on", "off", "true", "false", "yes", "no", "1", "0"].contains(&value)
}

fn not_a_switch(flag: &str, value: &str) -> Error {
    let mut error = Error::new(ErrorKind::InvalidValue);
    let context = [
        (
            ContextKind::InvalidArg,
            ContextValue::String(format!("--{flag}")),
        ),
        (
            ContextKind::InvalidValue,
            ContextValue::String(value.to_owned()),
        ),
        (
            ContextKind::ValidValue,
            ContextValue::Strings(vec!["on".to_owned(), "off".to_owned()]),
        ),
    ];
    for (kind, what) in context {
        error.insert(kind, what);
    }
    error
}
