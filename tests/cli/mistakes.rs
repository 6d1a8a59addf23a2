//! Mistakes that people make, one script each: the header says what is said, where, and with which remedy. Nothing else
//! is said: one mistake is one message. `tests/snapshots/mistakes.txt` is the table of them: the line at fault, and what
//! is said of it.

use std::fs;
use std::path::Path;

use super::run::{csp, scripts};

#[test]
fn common_mistakes_get_the_right_remedy_at_the_right_place_and_nothing_more() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut wrong = Vec::new();
    let mut table = String::new();
    let mistakes = scripts("tests/corpus/mistakes");
    assert!(mistakes.len() >= 50, "there are {}", mistakes.len());
    for script in mistakes {
        let text = fs::read_to_string(root.join(&script)).expect("the script can be read");
        let expected: Vec<&str> = text
            .lines()
            .take_while(|line| line.starts_with("-- says: ") || line.starts_with("-- help: "))
            .map(|line| &line[3..])
            .collect();
        let ran = csp(&["check", "--json", &script]);
        assert_eq!(ran.code, 2, "{script}");
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
        let whole = report["diagnostics"].as_array().expect("a list");
        let assertions = report["assertions"].as_array().expect("a list");
        let each = assertions
            .iter()
            .flat_map(|assertion| assertion["diagnostics"].as_array().expect("a list"));
        let source: Vec<&str> = text.lines().collect();
        let mut said = Vec::new();
        for diagnostic in whole.iter().chain(each) {
            let before = said.len();
            let word = |key: &str| diagnostic[key].as_str().map(str::to_owned);
            said.push(format!(
                "says: {}:{} {} {}",
                diagnostic["line"],
                diagnostic["column"],
                word("code").expect("every message has a code"),
                word("message").expect("every message has words"),
            ));
            said.extend(word("help").map(|help| format!("help: {help}")));
            let line = diagnostic["line"].as_u64().expect("a number") as usize;
            table.push_str(&format!("{}\n", source[line - 1].trim_end()));
            for said in &said[before..] {
                table.push_str(&format!("    {said}\n"));
            }
        }
        if said != expected {
            wrong.push(format!("{script}:\n  {}", said.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let path = root.join("tests/snapshots/mistakes.txt");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, &table).expect("it can be written");
    }
    let known = fs::read_to_string(&path).expect("the table is there");
    assert_eq!(known, table, "UPDATE_SNAPSHOTS=1 writes it anew");
}
