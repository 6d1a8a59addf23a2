//! Lines from a person, with editing, history and completion; or from a pipe, without.

use std::io::{BufRead, IsTerminal};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Context, Editor, Helper, Highlighter, Hinter, Validator};

use crate::output::Failure;

/// Completes a whole line from those that make sense now.
#[derive(Default, Helper, Highlighter, Hinter, Validator)]
pub(crate) struct Words {
    words: Vec<String>,
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let start = line.get(..position).unwrap_or(line);
        let matching = self.words.iter().filter(|word| word.starts_with(start));
        Ok((0, matching.cloned().collect()))
    }
}

/// Where lines come from.
pub(crate) enum Prompt {
    /// A terminal.
    Terminal(Box<Editor<Words, MemHistory>>),
    /// Anything else.
    Pipe,
}

impl Prompt {
    /// Reads from a terminal if there is one.
    pub(crate) fn new() -> Result<Self, Failure> {
        if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
            return Ok(Self::Pipe);
        }
        // As shells do: what is common is completed, and then all that fits is listed.
        let config = rustyline::Config::builder()
            .completion_type(rustyline::CompletionType::List)
            .build();
        let editor = Editor::with_history(config, MemHistory::new());
        let mut editor = editor.map_err(|e| cannot_read(&e.to_string()))?;
        editor.set_helper(Some(Words::default()));
        Ok(Self::Terminal(Box::new(editor)))
    }

    /// The next line; none at the end.
    pub(crate) fn line(&mut self, words: &[String]) -> Result<Option<String>, Failure> {
        match self {
            Self::Pipe => {
                let mut line = String::new();
                let read = std::io::stdin().lock().read_line(&mut line);
                let read = read.map_err(|e| cannot_read(&e.to_string()))?;
                Ok((read > 0).then_some(line))
            }
            Self::Terminal(editor) => {
                if let Some(helper) = editor.helper_mut() {
                    helper.words = words.to_vec();
                }
                loop {
                    match editor.readline("> ") {
                        Ok(line) => {
                            let _ = editor.add_history_entry(line.as_str());
                            return Ok(Some(line));
                        }
                        // The line is given up, as in a shell.
                        Err(ReadlineError::Interrupted) => {}
                        Err(ReadlineError::Eof) => return Ok(None),
                        Err(e) => return Err(cannot_read(&e.to_string())),
                    }
                }
            }
        }
    }
}

fn cannot_read(why: &str) -> Failure {
    Failure::Message(format!("cannot read standard input: {why}"))
}
