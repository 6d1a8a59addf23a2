//! Reports: written as they grow, and added up.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use csp_oracle::trial::tally::Tally;

/// A report that is written as it grows, so that a run that is cut short leaves what it has found.
pub(crate) struct Report {
    text: String,
    /// Where it is written.
    file: Option<String>,
    /// Where scripts are kept on which the sides disagree.
    keep: Option<String>,
    kept: usize,
    /// Something is not as it should be.
    pub(crate) wrong: bool,
}

impl Report {
    /// An empty report, to be written to a file; scripts go to a folder.
    pub(crate) fn new(file: Option<String>, keep: Option<String>) -> Self {
        Self {
            text: String::new(),
            file,
            keep,
            kept: 0,
            wrong: false,
        }
    }

    pub(crate) fn add(&mut self, part: &str, wrong: bool) -> std::io::Result<()> {
        println!("{part}");
        self.text += part;
        self.text += "\n";
        self.wrong |= wrong;
        self.file
            .as_ref()
            .map_or(Ok(()), |file| std::fs::write(file, &self.text))
    }

    /// Adds what came of a run, with the scripts that it disagrees about.
    pub(crate) fn tally(
        &mut self,
        title: &str,
        start: Instant,
        tally: &Tally,
    ) -> std::io::Result<()> {
        if let Some(folder) = &self.keep {
            for script in &tally.disagreements {
                self.kept += 1;
                std::fs::write(format!("{folder}/oracle_{}.csp", self.kept), script)?;
            }
        }
        self.add(&of_run(title, start, tally), tally.total().disagree > 0)
    }
}

/// What came of a run.
pub(crate) fn of_run(title: &str, start: Instant, tally: &Tally) -> String {
    let mut text = format!(
        "{title}: {} checks, {:.0} s, {} disagreements\n\n{}",
        tally.checks(),
        start.elapsed().as_secs_f64(),
        tally.total().disagree,
        tally.table()
    );
    for script in &tally.disagreements {
        text += "\n";
        text += script;
    }
    text
}

/// The state of the repository, as far as that can be found out.
pub(crate) fn state() -> String {
    let asked = Command::new("git")
        .args(["describe", "--always", "--dirty"])
        .output();
    let said = asked.ok().filter(|o| o.status.success());
    let text = said.and_then(|o| String::from_utf8(o.stdout).ok());
    text.map_or("an unknown state".to_owned(), |t| t.trim().to_owned())
}

/// The sum of the tables in all reports of a folder, and what each covers.
pub(crate) fn merged(folder: &Path) -> std::io::Result<(String, Tally)> {
    let mut paths: Vec<_> = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<Result<_, _>>()?;
    paths.retain(|p| p.extension().is_some_and(|e| e == "txt"));
    paths.sort();
    let (mut tally, mut titles) = (Tally::default(), String::new());
    for path in paths {
        let report = std::fs::read_to_string(path)?;
        tally.read(&report);
        for title in report.lines().filter(|l| l.ends_with(" disagreements")) {
            titles += title;
            titles += "\n";
        }
    }
    let all = tally.total();
    let text = format!(
        "{} checks: {} hold and {} fail on both sides ({:.0} % hold), {} disagreements; {} counterexamples compared \
         with a shortest one;\n{} skipped by the oracle, {} by the product; {} programs given up\n\n{}\n{titles}",
        tally.checks(),
        all.hold,
        all.fail,
        100.0 * all.hold as f64 / (all.hold + all.fail).max(1) as f64,
        all.disagree,
        all.shortest,
        all.skipped_by_oracle,
        all.skipped_by_product,
        tally.given_up.len(),
        tally.table(),
    );
    Ok((text, tally))
}
