//! What a run has covered, and the report of it.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::compare::{Compared, Skipped};

/// Counts of one kind of claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Both sides say it holds.
    pub hold: u64,
    /// Both say it fails.
    pub fail: u64,
    /// Failures whose counterexample was compared with a shortest one.
    pub shortest: u64,
    /// Too large for the oracle.
    pub skipped_by_oracle: u64,
    /// Too large for the product.
    pub skipped_by_product: u64,
    /// The sides do not agree.
    pub disagree: u64,
}

/// Counts of all kinds.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// By the source of the programs and the kind of claim.
    pub rows: BTreeMap<(String, String), Row>,
    /// Comparisons of verdicts in searches that left something out.
    pub reduced: u64,
    /// Smallest scripts on which the sides disagree, with a reason each.
    pub disagreements: Vec<String>,
    /// Programs on which the product took too long, each in a line that begins with [`GIVEN_UP`].
    pub given_up: Vec<String>,
}

/// How the line of a program begins that was given up.
pub const GIVEN_UP: &str = "given up: ";

/// How the line begins that counts searches which left something out.
const REDUCED: &str = "reduced: ";

impl Tally {
    /// Adds one comparison.
    pub fn count(&mut self, source: &str, kind: String, compared: &Compared) {
        let row = self.rows.entry((source.to_owned(), kind)).or_default();
        match compared {
            Compared::Agree {
                holds,
                shortest,
                reduced,
            } => {
                *(if *holds { &mut row.hold } else { &mut row.fail }) += 1;
                row.shortest += u64::from(*shortest);
                self.reduced += u64::from(*reduced);
            }
            Compared::Skipped(Skipped::Oracle) => row.skipped_by_oracle += 1,
            Compared::Skipped(Skipped::Product | Skipped::GivenUp) => row.skipped_by_product += 1,
            Compared::Disagree(_) => row.disagree += 1,
        }
    }

    /// Adds another tally.
    pub fn add(&mut self, other: Self) {
        for (key, row) in other.rows {
            let own = self.rows.entry(key).or_default();
            own.hold += row.hold;
            own.fail += row.fail;
            own.shortest += row.shortest;
            own.skipped_by_oracle += row.skipped_by_oracle;
            own.skipped_by_product += row.skipped_by_product;
            own.disagree += row.disagree;
        }
        self.reduced += other.reduced;
        self.disagreements.extend(other.disagreements);
        self.given_up.extend(other.given_up);
    }

    /// Adds the rows of the tables in a report, and the programs that were given up.
    pub fn read(&mut self, report: &str) {
        for line in report.lines() {
            if line.starts_with(GIVEN_UP) {
                self.given_up.push(line.to_owned());
                continue;
            }
            if let Some(count) = line.strip_prefix(REDUCED) {
                let count = count.split_whitespace().next();
                self.reduced += count.and_then(|n| n.parse().ok()).unwrap_or(0);
                continue;
            }
            let Some((source, rest)) = line.split_at_checked(11) else {
                continue;
            };
            let words: Vec<&str> = rest.split_whitespace().collect();
            let Some(start) = words.len().checked_sub(6) else {
                continue;
            };
            let numbers = words[start..].iter().map(|w| w.parse().ok());
            let Some(numbers) = numbers.collect::<Option<Vec<u64>>>() else {
                continue;
            };
            // The last line of a table is the sum of the others.
            if start == 0 {
                continue;
            }
            let key = (source.trim_end().to_owned(), words[..start].join(" "));
            let row = self.rows.entry(key).or_default();
            row.hold += numbers[0];
            row.fail += numbers[1];
            row.shortest += numbers[2];
            row.skipped_by_oracle += numbers[3];
            row.skipped_by_product += numbers[4];
            row.disagree += numbers[5];
        }
    }

    /// All rows together.
    #[must_use]
    pub fn total(&self) -> Row {
        let mut all = Row::default();
        for row in self.rows.values() {
            all.hold += row.hold;
            all.fail += row.fail;
            all.shortest += row.shortest;
            all.skipped_by_oracle += row.skipped_by_oracle;
            all.skipped_by_product += row.skipped_by_product;
            all.disagree += row.disagree;
        }
        all
    }

    /// Number of claims compared or tried.
    #[must_use]
    pub fn checks(&self) -> u64 {
        let t = self.total();
        t.hold + t.fail + t.skipped_by_oracle + t.skipped_by_product + t.disagree
    }

    /// The counts as a table.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = String::from(
            "source     claim                    hold      fail  shortest  skipped (oracle, product)  disagree\n",
        );
        let mut line = |source: &str, kind: &str, row: &Row| {
            let written = writeln!(
                text,
                "{source:<10} {kind:<20} {:>9} {:>9} {:>9} {:>13} {:>12} {:>9}",
                row.hold,
                row.fail,
                row.shortest,
                row.skipped_by_oracle,
                row.skipped_by_product,
                row.disagree
            );
            written.expect("writing to a string does not fail");
        };
        for ((source, kind), row) in &self.rows {
            line(source, kind, row);
        }
        line("all", "", &self.total());
        if self.reduced > 0 {
            text += REDUCED;
            text += &self.reduced.to_string();
            text += " verdicts agree of searches that left something out\n";
        }
        for program in &self.given_up {
            text += program;
            text += "\n";
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{Compared, GIVEN_UP, Tally};

    #[test]
    fn tables_are_read_back() {
        let mut tally = Tally::default();
        for (source, kind, holds) in [("terms", "[T=", true), ("networks", "has trace [F]", false)]
        {
            let compared = Compared::Agree {
                holds,
                shortest: !holds,
                reduced: holds,
            };
            tally.count(source, kind.to_owned(), &compared);
        }
        tally
            .given_up
            .push(format!("{GIVEN_UP}seed 7 (timed), 30 claims"));
        let mut twice = Tally::default();
        twice.read(&tally.table());
        twice.read(&tally.table());
        assert_eq!((twice.total().hold, twice.total().fail), (2, 2));
        assert_eq!((twice.given_up.len(), twice.reduced), (2, 2));
        let once: Vec<_> = tally.rows.keys().collect();
        assert_eq!(twice.rows.keys().collect::<Vec<_>>(), once);
    }
}
