//! How to play: the settings of the paper under their names, and ours.

use std::time::Duration;

use crate::Effort;

/// How a move is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The first moves of solved guesses vote.
    Vote,
    /// Every move is tried on guesses; the one after which most of them can be won is chosen.
    Best,
}

/// How to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How a move is chosen.
    pub method: Method,
    /// Voters that are asked at first.
    pub initial_vote_count: u64,
    /// The share of votes, in per cent, that a move needs.
    pub agree_ratio: u64,
    /// Voters that are added when no move has enough.
    pub vote_increase_step: u64,
    /// Voters after which the move with most votes is played.
    pub max_vote_count: u64,
    /// States that a run of the solver may look at.
    pub run_node_limit: u64,
    /// Seconds that a run of the solver may take; 0 is no limit. With a limit results depend on the
    /// machine.
    pub run_timeout: u64,
    /// Threads for the runs of one decision.
    pub max_concurrent_threads: usize,
    /// Games at a time.
    pub max_concurrent_games: usize,
    /// What the guesses depend on.
    pub solveseed: u64,
    /// The first deal, where no deals are named.
    pub dealseed: i64,
    /// Whether deal after deal is played until somebody stops it.
    pub forever: bool,
    /// Runs of the solver for one decision, where every move is tried.
    pub runs_per_decision: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            method: Method::Vote,
            initial_vote_count: 10,
            agree_ratio: 80,
            vote_increase_step: 10,
            max_vote_count: 50,
            run_node_limit: 20_000,
            run_timeout: 0,
            max_concurrent_threads: 1,
            max_concurrent_games: 1,
            solveseed: 1,
            dealseed: 1,
            forever: false,
            runs_per_decision: 200,
        }
    }
}

/// The names that a settings file knows.
const NAMES: [&str; 13] = [
    "method",
    "initial vote count",
    "agree ratio",
    "vote increase step",
    "max vote count",
    "run node limit",
    "run timeout",
    "max concurrent threads",
    "max concurrent games",
    "solveseed",
    "dealseed",
    "run forever",
    "runs per decision",
];

impl Settings {
    /// What a run of the solver may cost.
    #[must_use]
    pub fn effort(&self) -> Effort {
        let time = (self.run_timeout > 0).then(|| Duration::from_secs(self.run_timeout));
        Effort {
            nodes: self.run_node_limit,
            time,
        }
    }

    /// Reads lines of the form `NAME: VALUE`; `#` begins a comment. The error is a sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut settings = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let Some((name, value)) = line.split_once(':') else {
                return Err(format!("line {number}: '{line}' should be NAME: VALUE"));
            };
            settings
                .set(name, value)
                .map_err(|why| format!("line {number}: {why}"))?;
        }
        Ok(settings)
    }

    /// Sets one of them by its name. The error is a sentence.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let name = name.trim().to_lowercase().replace(['-', '_'], " ");
        let value = value.trim();
        if name == "method" {
            self.method = match value {
                "vote" => Method::Vote,
                "best" => Method::Best,
                _ => return Err(format!("the methods are vote and best, not '{value}'")),
            };
            return Ok(());
        }
        if name == "run forever" {
            self.forever = match value {
                "true" => true,
                "false" => false,
                _ => return Err(format!("run forever is true or false, not '{value}'")),
            };
            return Ok(());
        }
        if !NAMES.contains(&name.as_str()) {
            return Err(format!(
                "there is no setting '{name}'; they are {}",
                NAMES.join(", ")
            ));
        }
        let wrong = |range: &str| format!("{name} is a number {range}, not '{value}'");
        let number = |least: u64, most: u64| {
            let range = if most == u64::MAX {
                format!("from {least} on")
            } else {
                format!("from {least} to {most}")
            };
            let number: u64 = value.parse().map_err(|_| wrong(&range))?;
            let fits = (least..=most).contains(&number);
            fits.then_some(number).ok_or_else(|| wrong(&range))
        };
        let count = |number: u64| usize::try_from(number).map_err(|_| wrong("that fits"));
        match name.as_str() {
            "initial vote count" => self.initial_vote_count = number(1, 1_000_000)?,
            "agree ratio" => self.agree_ratio = number(1, 100)?,
            "vote increase step" => self.vote_increase_step = number(0, 1_000_000)?,
            "max vote count" => self.max_vote_count = number(1, 1_000_000)?,
            "run node limit" => self.run_node_limit = number(1, u64::MAX)?,
            "max concurrent threads" => self.max_concurrent_threads = count(number(1, 1024)?)?,
            "max concurrent games" => self.max_concurrent_games = count(number(1, 1024)?)?,
            "run timeout" => self.run_timeout = number(0, 1_000_000)?,
            "solveseed" => self.solveseed = number(0, u64::MAX)?,
            "dealseed" => {
                let most = u64::try_from(i64::MAX).unwrap_or(u64::MAX);
                let first = i64::try_from(number(0, most)?);
                self.dealseed = first.map_err(|_| wrong("that fits"))?;
            }
            _ => self.runs_per_decision = number(1, u64::MAX)?,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_settings_file_is_read() {
        let text = "# as in the paper\ninitial vote count: 10\nagree ratio: 80 # per cent\n\
                    max-vote-count: 1000\nmethod: vote\nrun timeout: 20\ndealseed: 4867\n\
                    run forever: true\n";
        let settings = Settings::parse(text).expect("right");
        assert_eq!(settings.max_vote_count, 1000);
        assert_eq!(settings.agree_ratio, 80);
        assert_eq!((settings.run_timeout, settings.dealseed), (20, 4867));
        assert!(settings.forever);
    }

    #[test]
    fn what_is_wrong_is_a_sentence() {
        let wrong = |text| Settings::parse(text).expect_err("wrong");
        assert_eq!(
            wrong("agree ratio: 101"),
            "line 1: agree ratio is a number from 1 to 100, not '101'"
        );
        assert_eq!(wrong("\nvoters"), "line 2: 'voters' should be NAME: VALUE");
        assert!(wrong("voters: 3").contains("there is no setting 'voters'"));
        assert!(wrong("method: luck").contains("vote and best"));
        assert!(wrong("run forever: 1").contains("true or false"));
    }
}
