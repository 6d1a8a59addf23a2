//! The lamp in the background: while the player thinks, a copy of the table is judged on another thread, and
//! then a shorter way to win is looked for. What is under way is cancelled when the position changes.

use std::io::BufRead;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use csp_driver::CancelToken;
use csp_driver::play::{Limits, Table};

/// What comes next at an interactive table.
pub(super) enum Next {
    /// A line that the player has typed.
    Line(String),
    /// The end of the input, or a reason why it cannot be read.
    End(Option<String>),
    /// A copy of the table on which something was found out, and for which position it was made.
    Thought(u64, Box<Table>),
}

/// How long a shorter way to win is looked for.
const IMPROVING: Duration = Duration::from_secs(5);

/// Lines and thoughts, as they come.
pub(super) struct Thinking {
    sender: Sender<Next>,
    receiver: Receiver<Next>,
    token: CancelToken,
    /// Counts the positions that were thought about.
    position: u64,
}

impl Thinking {
    /// Starts to read lines.
    pub(super) fn new() -> Self {
        let (sender, receiver) = mpsc::channel();
        let lines = sender.clone();
        let reader = std::thread::Builder::new().spawn(move || {
            for line in std::io::stdin().lock().lines() {
                let next = match line {
                    Ok(line) => Next::Line(line),
                    Err(e) => Next::End(Some(format!("cannot read standard input: {e}"))),
                };
                let ends = matches!(next, Next::End(_));
                if lines.send(next).is_err() || ends {
                    return;
                }
            }
            // The receiver may be gone already.
            let _ = lines.send(Next::End(None));
        });
        if let Err(e) = reader {
            let none = format!("cannot start a thread to read standard input: {e}");
            // The receiver is below.
            let _ = sender.send(Next::End(Some(none)));
        }
        Self {
            sender,
            receiver,
            token: CancelToken::new(),
            position: 0,
        }
    }

    /// Thinks about the position of a table and no longer about the one before.
    pub(super) fn about(&mut self, table: &Table, limits: Limits) {
        self.token.cancel();
        self.token = CancelToken::new();
        self.position += 1;
        if table.is_won() {
            return;
        }
        let (token, sender, position) = (self.token.clone(), self.sender.clone(), self.position);
        let mut copy = table.copied();
        // Without a thread for it nothing is thought.
        let _ = std::thread::Builder::new().spawn(move || {
            let lamp = copy.judge(&limits, &token);
            let tell = |copy: &Table| {
                let thought = Next::Thought(position, Box::new(copy.copied()));
                !token.is_cancelled() && sender.send(thought).is_ok()
            };
            if !tell(&copy) || lamp.line.is_empty() {
                return;
            }
            let question = copy.question();
            let answer = question.improved(IMPROVING, &limits, &token);
            copy.learn(&question, answer);
            if copy.lamp().line.len() < lamp.line.len() {
                tell(&copy);
            }
        });
    }

    /// Waits for what comes next; thoughts about positions that were left are dropped.
    pub(super) fn next(&self) -> Next {
        loop {
            match self.receiver.recv() {
                Ok(Next::Thought(position, _)) if position != self.position => {}
                Ok(next) => return next,
                Err(_) => return Next::End(None),
            }
        }
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.token.cancel();
    }
}
