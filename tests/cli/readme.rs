//! The console blocks of the README are true: each command is run and its output compared. In a
//! block, `…` stands for anything, to the end of the line.

use super::run::csp;

/// The commands of a page with the output it shows.
fn blocks(page: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ csp ").filter(|_| inside) {
            found.push((command.to_owned(), Vec::new()));
        } else if inside {
            found
                .last_mut()
                .expect("a block starts with a command")
                .1
                .push(line.to_owned());
        }
    }
    found
}

fn matches(expected: &str, line: &str) -> bool {
    match expected.split_once('…') {
        Some((start, _)) => line.starts_with(start),
        None => expected == line,
    }
}

#[test]
fn console_blocks_show_what_is_printed() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"))
        .expect("the README");
    let blocks = blocks(&page);
    assert!(blocks.len() >= 2);
    for (command, expected) in blocks {
        let arguments: Vec<&str> = command.split_whitespace().collect();
        let ran = csp(&arguments);
        let lines: Vec<&str> = ran.stdout.lines().collect();
        let same = lines.len() == expected.len()
            && expected.iter().zip(&lines).all(|(e, l)| matches(e, l));
        assert!(same, "`csp {command}` printed\n{}", ran.stdout);
    }
}
