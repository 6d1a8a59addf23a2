//! The command line, as data: every verb, its options, their help and examples.

mod refines;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use csp_driver::{Inspection, Model};

use crate::check;
use crate::loading::Limits;
use crate::output::Failure;
use crate::quantity;

pub(crate) use refines::{Refines, RefinesArguments, RefinesFormat};

/// An open refinement checker for CSP.
#[derive(Debug, Parser)]
#[command(name = "csp", version = version(), about, long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) terminal: TerminalArguments,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// What every verb takes.
#[derive(Debug, Args)]
pub(crate) struct TerminalArguments {
    /// When to colour the output.
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN", help_heading = "Terminal")]
    pub(crate) color: Colour,
    /// Write no characters beyond ASCII [default: as the locale says; CSP_ASCII=1 does the same].
    #[arg(long, global = true, help_heading = "Terminal")]
    pub(crate) ascii: bool,
}

const LONG_ABOUT: &str = "csp reads scripts in machine-readable CSP (CSPm, the language of FDR) and \
decides their assertions: refinement, deadlock, divergence, determinism. It shows a shortest \
counterexample for each assertion that fails.";

const EXAMPLES: &str = "Examples:
  csp check models/philosophers.csp               check every assertion of a script
  csp check models/freecell.csp --deal 11982      a model with a parameter
  csp solve models/freecell.csp --deal 617        a winning play
  csp survey models/king-albert.csp --deals 1..100   what share of deals can be won
  csp deal freecell 617                           a numbered deal, drawn
  csp games spider                                games that are known by name
  csp solve yukon --deal 3                        a play of one of them
  csp play klondike --deal 4                      play it, with hints
  csp eval models/freecell.csp 'columns'          the value of an expression
  csp graph models/philosophers.csp 'Fork(0)'     the states of a process
  csp scale models/freecell.csp --deal 11982 --threads 1,2   states per second over threads
  csp web models                                  the workbench in the browser

Exit codes: 0 all pass, 1 some fail, 2 bad input, 3 a limit was reached, 130 interrupted.";

/// The version with the commit it was built from.
const fn version() -> &'static str {
    match option_env!("CSP_COMMIT") {
        Some(commit) => commit,
        None => env!("CARGO_PKG_VERSION"),
    }
}

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Decide the assertions of a script.
    #[command(after_help = "Examples:
  csp check script.csp                                 every assertion
  csp check script.csp --assert 2 --full               one, with every part of its counterexample
  csp check script.csp --assert '[T=' --threads 4      those with this in their text
  csp check one.csp two.csp --expect                   several scripts, against what they expect
  csp check script.csp --brackets                      how it was read
  csp check script.csp --json --output result.json     for programs
  csp check script.csp --format junit > result.xml     for CI
  csp check models/freecell.csp --deal 1..20 --timeout 60")]
    Check(CheckArguments),
    /// Find a play: a way to a goal event.
    #[command(
        after_help = "Exit codes: 0 solved, 1 proved unsolvable, 2 bad input, 3 gave up, 130 interrupted.

Examples:
  csp solve models/freecell.csp --deal 1
  csp solve models/freecell.csp --deal 617 --fewest CELLS
  csp solve models/freecell.csp --board board.txt --notation standard
  csp solve examples/10-farmer.csp --goal done --shortest"
    )]
    Solve(SolveArguments),
    /// Solve many deals and say what share of them can be won.
    #[command(after_help = "Examples:
  csp survey models/king-albert.csp --deals 1..100 --timeout 60 --output rows.csv
  csp survey models/freecell.csp --deals 1..1000 -D CELLS=3 --json
  csp survey models/klondike.csp --hidden --deals 1..100 -D DRAW=3 --set 'max vote count=30'")]
    Survey(SurveyArguments),
    /// Say for each move how many of the deals that look alike stay winnable after it.
    #[command(
        after_help = "Example:\n  csp hint models/klondike.csp --deal 4 -D DRAW=3 --after draw"
    )]
    Hint(HintArguments),
    /// Draw a numbered deal.
    #[command(after_help = "Examples:
  csp deal freecell 11982
  csp deal canfield 1000237 --numbering solvitaire")]
    Deal(DealArguments),
    /// List the games that are known by name.
    #[command(
        after_help = "Words are looked for in names, titles and families, with room for misspellings.
Exit codes: 0, 1 if no game is like that, 2 bad input.

Examples:
  csp games
  csp games --family spider --decks 1
  csp games klondike --rate 80..95"
    )]
    Games(GamesArguments),
    /// Tell the rules of a game in words, or show the model made from them.
    #[command(after_help = "Examples:
  csp rules yukon
  csp rules mine.toml               a description of one's own
  csp rules golf --model --deal 3   the script that the other verbs use
  csp rules fan --tests --json      boards on which single conditions decide
  csp rules golf --within golf-wrap > both.csp && csp check both.csp")]
    Rules(RulesArguments),
    /// Play a game.
    #[command(
        after_help = "Moves are the events that the process of the model offers. Commands come from standard input, one on
each line; `help` lists them. Exit codes: 0, 1 if a command from a file was refused, 2 bad input.

Examples:
  csp play freecell --deal 617
  csp play klondike --deal 4 -D DRAW=3
  csp play models/peg.csp
  printf 'draw\\nlamp\\n' | csp play klondike --deal 1
  csp play klondike --deal 4 --bot greedy --delay 0.3      a bot plays, with pictures
  csp play klondike --bot random --deals 1..100 --seed 7 --json
  csp play klondike --bot blind --deck sorted --deals 1..1000 --no-solve"
    )]
    Play(PlayArguments),
    /// Check names and types, without evaluating anything.
    #[command(after_help = "Example:\n  csp typecheck script.csp --types")]
    Typecheck(TypecheckArguments),
    /// Show what is legal in a script and probably not meant, and nothing else.
    #[command(
        after_help = "Example:\n  csp lint script.csp\n\nExit code 1 if there is something to show; \
                            `--@ allow: W0801` above an assertion silences a warning."
    )]
    Lint(LintArguments),
    /// Print the value of an expression in the scope of a script.
    #[command(
        after_help = "Example:\n  csp eval script.csp 'card({ x | x <- {1..10}, x % 2 == 0 })'"
    )]
    Eval(EvalArguments),
    /// Write the transition system of a process.
    #[command(after_help = "Examples:
  csp graph script.csp 'P(0)' --format svg -o graph.svg    a picture, without Graphviz
  csp graph script.csp 'P(0)' --format dot | dot -Tpdf > graph.pdf
  csp graph script.csp System --network                    components and rules")]
    Graph(GraphArguments),
    /// Step through a process.
    #[command(after_help = "Examples:
  csp explore examples/01-vending-machine.csp Machine
  csp check script.csp --save-trace found.txt
  csp explore script.csp System --trace found.txt     at the end of the counterexample
  csp explore script.csp --assert 3                   the same in one
  csp solve models/freecell.csp --deal 1 --save-trace play.txt
  csp explore models/freecell.csp --deal 1 --assert 1 --trace play.txt

Commands while exploring: an event or its number does it, u undoes, redo does it again, until EVENT goes on to
it, why EVENT says who refuses it, t shows the trace, s the states, w FILE writes the trace, q quits, ? lists all.")]
    Explore(ExploreArguments),
    /// Say which events of a process can never happen, can happen, can happen for ever.
    #[command(
        after_help = "Levels: L0 never, L1 possible, L3 infinitely often on some run, L4 from everywhere again.
Exit codes: 0, 2 bad input, 3 a limit was reached, 130 interrupted.

Examples:
  csp live models/philosophers.csp Asymmetric
  csp live models/klondike-modules.csp 'Governed({Player})' --json"
    )]
    Live(StatesArguments),
    /// Say how large the numbers of a process become, part by part, and by which way.
    #[command(
        after_help = "For each part: the least and the greatest value of each numeric parameter, and the least and greatest
size of each sequence, set and map, with a shortest way to each. A counter that never leaves its
start, or never reaches its end, is often a mistake.
Exit codes: 0, 2 bad input, 3 a limit was reached, 130 interrupted.

Examples:
  csp bounds examples/02-buffers.csp 'Buffer(3, <>)'
  csp bounds models/klondike-score.csp Game --json
  csp bounds models/klondike-modules.csp 'Governed({Player})'"
    )]
    Bounds(StatesArguments),
    /// Ask a script about its values, types and processes, line by line.
    #[command(after_help = "Example:\n  csp repl script.csp")]
    Repl(ReplArguments),
    /// Measure states and time over numbers of threads.
    #[command(after_help = "Examples:
  csp scale models/freecell.csp --deal 11982 --threads 1,2,4
  csp scale models/peg.csp --assert 2 --threads 1,2 --plot scale.svg   (about a minute a run)")]
    Scale(ScaleArguments),
    /// Open the workbench in a browser: sessions, editor, debugger, explorer.
    #[cfg(feature = "web")]
    #[command(after_help = "Examples:
  csp web                                 the scripts of this folder
  csp web models/philosophers.csp         one script, and those beside it
  csp web --no-open --port 8080 models    print the address only")]
    Web(WebArguments),
    /// Check like FDR's `refines`, with its flags and its output.
    #[command(version = version(), disable_version_flag = true, display_name = "csp", infer_long_args = true, after_help = "Exit code 0 whenever checks ran, whatever they came to, as FDR's; 2 if they could not.
Beginnings of long options will do where they are unambiguous.

Examples:
  csp refines --brief script.csp
  csp refines --format json --reveal-taus script.csp
  csp refines --archive all.csp script.csp")]
    Refines(RefinesArguments),
    /// Explain a diagnostic code.
    #[command(after_help = "Example:\n  csp explain E0201")]
    Explain {
        /// A code such as E0201; without one, all codes are listed.
        code: Option<String>,
    },
    /// Write a shell's completion script to standard output.
    #[command(
        after_help = "Example:\n  csp completions bash > ~/.local/share/bash-completion/completions/csp"
    )]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write a manual page to standard output.
    #[command(
        after_help = "Examples:\n  csp man | man -l -                          the command\n  csp man check | man -l -                    one verb\n  csp man --folder ~/.local/share/man/man1    all pages"
    )]
    Man {
        /// The verb; without one, the command as a whole.
        verb: Option<String>,
        /// Write the pages of the command and of every verb into this folder.
        #[arg(long, value_name = "FOLDER", conflicts_with = "verb")]
        folder: Option<PathBuf>,
    },
    /// List values for the last of these words: what completion scripts ask.
    #[command(hide = true)]
    Complete {
        /// The words of the command line after `csp`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
}

/// A script and its parameters.
#[derive(Clone, Debug, Args)]
pub(crate) struct ScriptArguments {
    /// The script (- is standard input), a game by its name, or a description (.toml, .json).
    pub(crate) file: PathBuf,
    /// Replace the value of a top-level constant.
    #[arg(short = 'D', long = "define", value_name = "NAME=EXPR")]
    pub(crate) defines: Vec<String>,
    /// Short for -D DEAL=N; a range N..M runs the deals one after another.
    #[arg(long, value_name = "N")]
    pub(crate) deal: Option<String>,
    /// Start a card model from a board in a file: as csp deal, fc-solve or PySol write it, Solvitaire's JSON, or the
    /// digits of Klondike-Solver.
    #[arg(long, value_name = "FILE", conflicts_with = "deal")]
    pub(crate) board: Option<PathBuf>,
    /// Which numbers --deal is counted by [default: those of the model].
    #[arg(long, value_enum, value_name = "NUMBERING", requires = "deal")]
    pub(crate) numbering: Option<DealNumbering>,
}

/// What a check may use.
#[derive(Clone, Debug, Args)]
pub(crate) struct LimitArguments {
    /// Worker threads [default: one for each core].
    #[arg(short = 'j', long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// Give up on an assertion after this many states.
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<u64>,
    /// Give up on an assertion after this time: 90 (seconds), 2s, 5m, 1h.
    #[arg(long, value_name = "TIME", value_parser = quantity::seconds)]
    pub(crate) timeout: Option<f64>,
    /// Give up on an assertion rather than take more memory: 500M, 8G … [default: what is free].
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<String>,
    /// How many distinct counterexamples to look for.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) counterexamples: usize,
    /// How termination is read: fdr (✓ can be refused, parallel processes do it together, a terminated
    /// process is deadlocked) or textbook (✓ is a signal, parallel processes terminate apart by a τ each,
    /// termination is not deadlock).
    #[arg(long, value_enum, default_value_t = Termination::Fdr, value_name = "READING")]
    pub(crate) termination: Termination,
    /// How components are reduced before they are composed.
    #[arg(long, value_enum, default_value_t = LeafCompression::Sbisim, value_name = "HOW")]
    pub(crate) leaf_compression: LeafCompression,
    /// How many states a sequential process may have.
    #[arg(long, value_name = "N", default_value_t = csp_driver::LEAF_STATES)]
    pub(crate) max_leaf_states: usize,
    /// Leave out orders of independent steps, where that is known to change no verdict: fewer states, but
    /// counterexamples may not be shortest.
    #[arg(long)]
    pub(crate) por: bool,
    /// Store one of all states that symmetries of the processes map to one another: fewer states, and
    /// counterexamples as short as without.
    #[arg(long)]
    pub(crate) symmetry: bool,
    /// Keep states in this store where they fit it; results do not depend on it [default: by size].
    #[arg(long, value_enum, value_name = "STORE", hide_short_help = true)]
    pub(crate) store: Option<Store>,
}

/// Where states are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Store {
    /// A bit for each name of a state.
    Bitmap,
    /// Entries of 32 bits.
    Compact,
    /// Entries of 64 bits.
    Words,
    /// Numbers for the halves of long states.
    Tree,
}

impl From<Store> for csp_driver::Store {
    fn from(store: Store) -> Self {
        match store {
            Store::Bitmap => Self::Bitmap,
            Store::Compact => Self::Compact,
            Store::Words => Self::Words,
            Store::Tree => Self::Tree,
        }
    }
}

/// How termination is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Termination {
    /// As FDR does.
    Fdr,
    /// As the books do.
    Textbook,
}

/// How components are reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LeafCompression {
    /// Not at all.
    None,
    /// By strong bisimulation.
    Sbisim,
    /// By weak bisimulation.
    Wbisim,
}

impl From<LeafCompression> for csp_driver::LeafCompression {
    fn from(how: LeafCompression) -> Self {
        match how {
            LeafCompression::None => Self::None,
            LeafCompression::Sbisim => Self::Sbisim,
            LeafCompression::Wbisim => Self::Wbisim,
        }
    }
}

/// How to write the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people.
    Text,
    /// One JSON object.
    Json,
    /// One JSON line for each assertion.
    Jsonl,
    /// JUnit XML.
    Junit,
    /// SARIF 2.1.0.
    Sarif,
    /// As FDR's `refines` prints it.
    Fdr,
}

/// How to write a counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TraceFormat {
    /// A table of steps and parts, and why it ends.
    Text,
    /// A sequence diagram for Mermaid.
    Mermaid,
    /// The Informal Trace Format (ITF), a JSON object.
    Itf,
    /// As in the JSON report.
    Json,
}

/// Options of `check`.
#[derive(Clone, Debug, Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) script: ScriptArguments,
    /// Further scripts.
    #[arg(value_name = "FILE")]
    pub(crate) more: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    /// Only this assertion: its number, or a part of its text. May be given several times.
    #[arg(long = "assert", value_name = "PATTERN|N")]
    pub(crate) select: Vec<String>,
    /// Judge against the script's `--@ expect:` lines; exit 0 if all come out as expected.
    #[arg(long)]
    pub(crate) expect: bool,
    /// Check nothing; show how definitions and assertions were read, with every bracket.
    #[arg(long)]
    pub(crate) brackets: bool,
    /// Leave hidden steps out of counterexamples.
    #[arg(long, conflicts_with = "reveal")]
    pub(crate) brief: bool,
    /// Show hidden events by name, as is done anyway.
    #[arg(long, hide = true)]
    pub(crate) reveal: bool,
    /// Show every part and every step of a counterexample, and each part at the end.
    #[arg(long)]
    pub(crate) full: bool,
    /// Show what happens inside compressed parts.
    #[arg(long)]
    pub(crate) open: bool,
    /// Show only steps with this in their event or in the name of a part that moves.
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Option<String>,
    /// How to write counterexamples in a text report.
    #[arg(long, value_enum, default_value_t = TraceFormat::Text, value_name = "FORMAT")]
    pub(crate) trace_format: TraceFormat,
    /// Show sizes and times of what was compiled.
    #[arg(long)]
    pub(crate) stats: bool,
    /// Short for --format json.
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// How to write the report.
    #[arg(long, value_enum, default_value_t = ReportFormat::Text, value_name = "FORMAT")]
    pub(crate) format: ReportFormat,
    /// Write the report to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Save the first counterexample, one event on each line, for `csp explore --trace`.
    #[arg(long, value_name = "FILE")]
    pub(crate) save_trace: Option<PathBuf>,
    /// No progress and no notes.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// How a play is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchMethod {
    /// New and near states first; finds plays that need not be shortest.
    Greedy,
    /// A* with a lower bound from the components; shortest plays.
    AStar,
    /// Breadth first; shortest plays.
    BreadthFirst,
}

/// How a play is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlayNotation {
    /// One line for each move.
    Moves,
    /// Standard FreeCell notation.
    Standard,
}

/// Options of `solve`.
#[derive(Clone, Debug, Args)]
pub(crate) struct SolveArguments {
    #[command(flatten)]
    pub(crate) script: ScriptArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    /// The assertion whose implementation is searched: its number, or a part of its text
    /// [default: the first].
    #[arg(long = "assert", value_name = "PATTERN|N")]
    pub(crate) select: Vec<String>,
    /// The event to reach, hidden or not [default: what the specification forbids].
    #[arg(long, value_name = "EVENT")]
    pub(crate) goal: Option<String>,
    /// How to look for a play.
    #[arg(long, value_enum, default_value_t = SearchMethod::Greedy, value_name = "METHOD")]
    pub(crate) search: SearchMethod,
    /// A play with the fewest chosen moves; short for --search breadth-first.
    #[arg(long, conflicts_with = "search")]
    pub(crate) shortest: bool,
    /// The least value of a constant with which there is a play, trying 0, 1, 2 …
    #[arg(long, value_name = "CONSTANT")]
    pub(crate) fewest: Option<String>,
    /// The highest score of a play, for a model that says what its events are worth (`--@ score:`): one number for
    /// each position. Bounds if a limit is reached.
    #[arg(long, conflicts_with_all = ["shortest", "fewest", "improve", "goal"])]
    pub(crate) best_score: bool,
    /// Shorten the play that was found for this many seconds.
    #[arg(long, value_name = "SECONDS", conflicts_with = "shortest")]
    pub(crate) improve: Option<f64>,
    /// How to write the play.
    #[arg(long, value_enum, default_value_t = PlayNotation::Moves, value_name = "NOTATION")]
    pub(crate) notation: PlayNotation,
    /// Save the play, one chosen move on each line, for `csp explore --trace`.
    #[arg(long, value_name = "FILE")]
    pub(crate) save_trace: Option<PathBuf>,
    /// Draw the position after every chosen move.
    #[arg(long)]
    pub(crate) show_boards: bool,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress and no notes.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Options of `survey`.
#[derive(Clone, Debug, Args)]
pub(crate) struct SurveyArguments {
    /// The script, a game by its name, or a description (.toml, .json).
    pub(crate) file: PathBuf,
    /// How the deals of a described game are counted [default: as its description says].
    #[arg(long, value_enum, value_name = "NUMBERING")]
    pub(crate) numbering: Option<DealNumbering>,
    /// Replace the value of a top-level constant.
    #[arg(short = 'D', long = "define", value_name = "NAME=EXPR")]
    pub(crate) defines: Vec<String>,
    /// The deals, both ends included.
    #[arg(long, value_name = "A..B", required_unless_present = "hidden")]
    pub(crate) deals: Option<String>,
    /// Append rows to a file, and do not repeat deals that it has.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Rows as JSON lines instead of comma-separated values.
    #[arg(long)]
    pub(crate) json: bool,
    /// Deals at a time [default: one for each core].
    #[arg(short = 'j', long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// Give up on a deal after this time: 90 (seconds), 2s, 5m, 1h.
    #[arg(long, value_name = "TIME", value_parser = quantity::seconds)]
    pub(crate) timeout: Option<f64>,
    /// Give up on a deal after this many states.
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<u64>,
    /// Memory for all deals at a time together [default: what is free].
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<String>,
    /// Play the deals without seeing what the model hides (`--@ hidden:`).
    #[arg(long)]
    pub(crate) hidden: bool,
    /// With --hidden: a file of settings, a line `NAME: VALUE` each.
    #[arg(long, value_name = "FILE", requires = "hidden")]
    pub(crate) settings: Option<PathBuf>,
    /// With --hidden: one setting, over those of the file: 'agree ratio=80'.
    #[arg(long = "set", value_name = "NAME=VALUE", requires = "hidden")]
    pub(crate) set: Vec<String>,
    /// How to look for plays.
    #[arg(long, value_enum, default_value_t = SearchMethod::Greedy, value_name = "METHOD")]
    pub(crate) search: SearchMethod,
    /// No progress and no notes.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Options of `hint`.
#[derive(Clone, Debug, Args)]
pub(crate) struct HintArguments {
    /// The script.
    pub(crate) file: String,
    /// Replace the value of a top-level constant.
    #[arg(short = 'D', long = "define", value_name = "NAME=EXPR")]
    pub(crate) defines: Vec<String>,
    /// The deal.
    #[arg(long, value_name = "N")]
    pub(crate) deal: i64,
    /// An event that has happened; several in their order.
    #[arg(long, value_name = "EVENT")]
    pub(crate) after: Vec<String>,
    /// A file of settings, a line `NAME: VALUE` each.
    #[arg(long, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
    /// One setting, over those of the file: 'runs per decision=400'.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which numbers a deal is counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DealNumbering {
    /// Microsoft's FreeCell.
    Microsoft,
    /// PySolFC.
    Pysol,
    /// PySol up to version 4.
    OldPysol,
    /// Solvitaire's seeds.
    Solvitaire,
    /// That of the bundled models.
    Ours,
}

/// Options of `games`.
#[derive(Clone, Debug, Args)]
pub(crate) struct GamesArguments {
    /// What to look for in names, titles and families.
    pub(crate) words: Vec<String>,
    /// Only games of this family.
    #[arg(long, value_name = "FAMILY")]
    pub(crate) family: Option<String>,
    /// Only games of this many decks.
    #[arg(long, value_name = "N")]
    pub(crate) decks: Option<u8>,
    /// Only games with cards that lie face down.
    #[arg(long, conflicts_with = "open")]
    pub(crate) hidden: bool,
    /// Only games with all cards face up.
    #[arg(long)]
    pub(crate) open: bool,
    /// Only games of which this share of deals, in per cent, is published as winnable.
    #[arg(long, value_name = "A..B")]
    pub(crate) rate: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Options of `rules`.
#[derive(Clone, Debug, Args)]
pub(crate) struct RulesArguments {
    /// A game by its name, or a description (.toml, .json).
    pub(crate) game: String,
    /// Show the model of a deal in CSPm.
    #[arg(long)]
    pub(crate) model: bool,
    /// With --model: nothing goes home by itself.
    #[arg(long, requires = "model")]
    pub(crate) unforced: bool,
    /// Show tests of the rules: for each part of each condition two boards that it alone tells apart. With --model, as
    /// assertions of a script.
    #[arg(long)]
    pub(crate) tests: bool,
    /// Show the script that asks whether every play of this game is one of the other, with short packs.
    #[arg(long, value_name = "GAME", conflicts_with_all = ["tests", "model", "json"])]
    pub(crate) within: Option<String>,
    /// With --within: the ranks of the short pack.
    #[arg(long, value_name = "N", requires = "within", default_value_t = 2)]
    pub(crate) ranks: u8,
    /// With --model or --within: the deal [default: one that can be won, if known].
    #[arg(long, value_name = "N")]
    pub(crate) deal: Option<String>,
    /// With --model: how deals are counted [default: as the description says].
    #[arg(long, value_enum, value_name = "NUMBERING", requires = "model")]
    pub(crate) numbering: Option<DealNumbering>,
    /// Print JSON.
    #[arg(long, conflicts_with = "model")]
    pub(crate) json: bool,
}

/// Options of `deal`.
#[derive(Clone, Debug, Args)]
pub(crate) struct DealArguments {
    /// A game by its name, or a description (.toml, .json).
    pub(crate) game: String,
    /// The number of the deal.
    pub(crate) number: String,
    /// Which numbers it is counted by [default: those of the bundled model].
    #[arg(long, value_enum, value_name = "NUMBERING")]
    pub(crate) numbering: Option<DealNumbering>,
    /// Draw the table, as on a terminal.
    #[arg(long, conflicts_with = "lines")]
    pub(crate) drawn: bool,
    /// Lines that --board reads, as in a file.
    #[arg(long)]
    pub(crate) lines: bool,
}

/// Options of `lint`.
#[derive(Clone, Debug, Args)]
pub(crate) struct LintArguments {
    #[command(flatten)]
    pub(crate) script: ScriptArguments,
    /// How long to look at processes: 10 (seconds), 2m.
    #[arg(long, value_name = "TIME", value_parser = quantity::seconds, default_value = "10")]
    pub(crate) timeout: f64,
}

/// Options of `play`.
#[derive(Clone, Debug, Args)]
pub(crate) struct PlayArguments {
    /// freecell, king-albert, klondike, montana, peg, sudoku; any other game that `csp games` lists; a description
    /// (.toml, .json); or a script with a `--@ game:` line.
    pub(crate) game: String,
    /// The number of the deal.
    #[arg(long, value_name = "N")]
    pub(crate) deal: Option<String>,
    /// Start from a board in a file: as csp deal, fc-solve or PySol write it, Solvitaire's JSON, or the digits of
    /// Klondike-Solver.
    #[arg(long, value_name = "FILE", conflicts_with = "deal")]
    pub(crate) board: Option<PathBuf>,
    /// Which numbers --deal is counted by [default: those of the model].
    #[arg(
        long,
        value_enum,
        value_name = "NUMBERING",
        requires = "deal",
        conflicts_with = "bot"
    )]
    pub(crate) numbering: Option<DealNumbering>,
    /// Replace the value of a top-level constant.
    #[arg(short = 'D', long = "define", value_name = "NAME=EXPR")]
    pub(crate) defines: Vec<String>,
    /// The assertion whose process is played: its number, or a part of its text [default: the first
    /// about a game].
    #[arg(long = "assert", value_name = "PATTERN|N")]
    pub(crate) select: Vec<String>,
    /// Go on with a saved game.
    #[arg(long, value_name = "FILE")]
    pub(crate) load: Option<PathBuf>,
    /// Have a bot play: blind (Klondike only), random, greedy, or a file of weights.
    #[arg(long, value_name = "BOT|FILE")]
    pub(crate) bot: Option<String>,
    #[command(flatten)]
    pub(crate) bots: BotArguments,
    /// Seconds that a search for a win may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    pub(crate) timeout: f64,
    /// Positions that a search for a win may visit.
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<u64>,
    /// No progress and no notes.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Options of `play` that are for bots.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Bots")]
pub(crate) struct BotArguments {
    /// The deals that the bot plays, instead of one with pictures.
    #[arg(long, value_name = "N..M", requires = "bot", conflicts_with_all = ["deal", "board"])]
    pub(crate) deals: Option<String>,
    /// The bot's chances are drawn with this number and that of the deal.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "bot")]
    pub(crate) seed: u64,
    /// How many moves a game may have, or commands of the blind bot [default: 1000 moves, 50000 commands].
    #[arg(long, value_name = "N", requires = "bot")]
    pub(crate) limit: Option<u64>,
    /// What the blind bot is dealt: the numbered deals, or the one sorted deck of its report.
    #[arg(long, value_enum, value_name = "DECK", default_value_t = BotDeck::Shuffled, requires = "bot")]
    pub(crate) deck: BotDeck,
    /// Seconds between two pictures of a single deal.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, requires = "bot")]
    pub(crate) delay: f64,
    /// Do not solve the deals to find out which could be won; else --timeout and --max-states are for each.
    #[arg(long, requires = "bot")]
    pub(crate) no_solve: bool,
    /// Print one JSON object.
    #[arg(long, requires = "bot")]
    pub(crate) json: bool,
}

/// What the blind bot is dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BotDeck {
    /// The numbered deals of the model.
    Shuffled,
    /// Sorted by suit and rank, as in the listing of the report.
    Sorted,
}

/// Options of `typecheck`.
#[derive(Clone, Debug, Args)]
pub(crate) struct TypecheckArguments {
    #[command(flatten)]
    pub(crate) script: ScriptArguments,
    /// Print the inferred type of every definition.
    #[arg(long)]
    pub(crate) types: bool,
}

/// Options of `eval`.
#[derive(Clone, Debug, Args)]
pub(crate) struct EvalArguments {
    #[command(flatten)]
    pub(crate) script: ScriptArguments,
    /// The expression.
    pub(crate) expression: String,
    /// Give up after this time: 90 (seconds), 2s, 5m, 1h.
    #[arg(long, value_name = "TIME", value_parser = quantity::seconds)]
    pub(crate) timeout: Option<f64>,
}

/// How to write a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// Aldebaran, for mCRL2 and CADP.
    Aut,
    /// Graphviz.
    Dot,
    /// JSON.
    Json,
    /// A picture.
    Svg,
}

/// Options of `graph`.
#[derive(Clone, Debug, Args)]
pub(crate) struct GraphArguments {
    #[command(flatten)]
    pub(crate) script: ScriptArguments,
    /// The process, as an expression.
    pub(crate) process: String,
    /// How to write it.
    #[arg(long, value_enum, default_value_t = GraphFormat::Aut, value_name = "FORMAT")]
    pub(crate) format: GraphFormat,
    /// What to call τ in .aut files.
    #[arg(long, default_value = "tau", value_name = "NAME")]
    pub(crate) tau_label: String,
    /// Number the states only; without this they are called by what their parts have become.
    #[arg(long)]
    pub(crate) numbers: bool,
    /// Print the components and rules of the compiled network instead.
    #[arg(long)]
    pub(crate) network: bool,
    #[command(flatten)]
    pub(crate) look: LookArguments,
    /// Give up after this many states.
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub(crate) max_states: u64,
    /// Write to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Options of `explore`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ExploreArguments {
    #[command(flatten)]
    pub(crate) script: ScriptArguments,
    /// The process, as an expression; without it the game of the script.
    pub(crate) process: Option<String>,
    /// The implementation of this assertion (its number, or a part of its text), at its counterexample.
    #[arg(long = "assert", value_name = "PATTERN|N", conflicts_with = "process")]
    pub(crate) select: Option<String>,
    /// Replay the events of a file first, one on each line; with --assert, instead of its counterexample.
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) look: LookArguments,
}

/// How `graph` and `explore` make a process.
#[derive(Clone, Debug, Args)]
pub(crate) struct LookArguments {
    /// The model that `normal`, `lazynorm` and `model_compress` preserve; that of the assertion, if there is one.
    #[arg(long, value_name = "MODEL", default_value = "FD", value_parser = semantic_model)]
    pub(crate) model: Model,
    /// Give up after this time: 90 (seconds), 2s, 5m, 1h.
    #[arg(long, value_name = "TIME", value_parser = quantity::seconds)]
    pub(crate) timeout: Option<f64>,
    /// Give up rather than take more memory: 500M, 8G … [default: what is free].
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<String>,
}

impl LookArguments {
    pub(crate) fn limits(&self) -> Result<Limits, Failure> {
        Ok(Limits {
            timeout: self.timeout,
            memory: self.memory.as_deref().map(check::size).transpose()?,
        })
    }

    pub(crate) fn inspection(&self) -> Result<Inspection, Failure> {
        let Limits { timeout, memory } = self.limits()?;
        Ok(Inspection {
            model: self.model,
            timeout,
            memory,
        })
    }
}

fn semantic_model(name: &str) -> Result<Model, String> {
    let known = Model::from_name(&name.to_uppercase());
    known.ok_or_else(|| "it should be T, F, FD, V, VD, R or RD".to_owned())
}

/// Options of `live` and `bounds`.
#[derive(Clone, Debug, Args)]
pub(crate) struct StatesArguments {
    #[command(flatten)]
    pub(crate) script: ScriptArguments,
    /// The process, as an expression.
    pub(crate) process: String,
    /// Give up after this many states.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) max_states: u64,
    /// Give up after this time: 90 (seconds), 2s, 5m, 1h.
    #[arg(long, value_name = "TIME", value_parser = quantity::seconds)]
    pub(crate) timeout: Option<f64>,
    /// Give up rather than take more memory: 500M, 8G … [default: what is free].
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress and no notes.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Options of `repl`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReplArguments {
    #[command(flatten)]
    pub(crate) script: ScriptArguments,
}

/// Options of `scale`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ScaleArguments {
    #[command(flatten)]
    pub(crate) script: ScriptArguments,
    /// Numbers of threads, separated by commas.
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "1,2"
    )]
    pub(crate) threads: Vec<usize>,
    /// Only this assertion: its number, or a part of its text.
    #[arg(long = "assert", value_name = "PATTERN|N")]
    pub(crate) select: Vec<String>,
    /// How often to run each; the median time counts.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) runs: usize,
    /// Draw the rates and speed-ups as SVG.
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// Write comma-separated values.
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
    /// Give up on an assertion after this many states.
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<u64>,
    /// Give up on an assertion rather than take more memory.
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<String>,
}

/// Options of `web`.
#[cfg(feature = "web")]
#[derive(Clone, Debug, Args)]
pub(crate) struct WebArguments {
    /// A script or a folder of scripts.
    #[arg(default_value = ".", value_name = "FILE|FOLDER")]
    pub(crate) path: PathBuf,
    /// Print the address without opening a browser.
    #[arg(long)]
    pub(crate) no_open: bool,
    /// The port to listen on; 0 lets the system choose.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,
    /// The address to listen on; others than this machine can reach it if it is not loopback.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) host: std::net::IpAddr,
    /// Worker threads of a check [default: one for each core].
    #[arg(short = 'j', long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}
