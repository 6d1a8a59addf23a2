//! The console blocks of the README are true: each command is run and its output compared. In a
//! block, `…` stands for anything, to the end of the line. The script of the page is `machine.csp`.

use super::bad_input::temporary;
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

/// The script that the page shows.
fn script(page: &str) -> &str {
    let (_, after) = page.split_once("```csp\n").expect("a script");
    after.split_once("```").expect("it ends").0
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
    let machine = temporary("machine.csp", script(&page).as_bytes());
    let path = machine.to_string_lossy();
    for (command, expected) in blocks {
        let command = command.replace("machine.csp", &path);
        let arguments: Vec<&str> = command.split_whitespace().collect();
        let ran = csp(&arguments);
        let shown = ran.stdout.replace(&*path, "machine.csp");
        let lines: Vec<&str> = shown.lines().collect();
        let same = lines.len() == expected.len()
            && expected.iter().zip(&lines).all(|(e, l)| matches(e, l));
        assert!(same, "`csp {command}` printed\n{}", ran.stdout);
    }
    std::fs::remove_file(machine).expect("it was written");
}
