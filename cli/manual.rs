//! `man`: a page for the command and one for each verb.

use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::args::Arguments;
use crate::output::{self, Failure};

pub(crate) fn run(verb: Option<&str>, folder: Option<&Path>) -> Result<u8, Failure> {
    let pages = pages();
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder)
            .map_err(|e| Failure::Message(format!("cannot make {}: {e}", folder.display())))?;
        for (name, command) in pages {
            let path = folder.join(format!("{name}.1"));
            output::write(Some(&path), &page(command)?)?;
        }
        return Ok(0);
    }
    let wanted = verb.map_or_else(|| "csp".to_owned(), |verb| format!("csp-{verb}"));
    let mut pages = pages.into_iter();
    let Some((_, command)) = pages.find(|(name, _)| *name == wanted) else {
        let message = format!("there is no verb {}", verb.unwrap_or_default());
        return Err(Failure::Message(message));
    };
    output::print(&page(command)?).map(|()| 0)
}

/// The command and its verbs, by the names of their pages.
fn pages() -> Vec<(String, Command)> {
    let mut whole = Arguments::command();
    whole.build();
    let verbs = whole.get_subcommands().filter(|verb| !verb.is_hide_set());
    let verbs = verbs.filter(|verb| verb.get_name() != "help").map(|verb| {
        let name = format!("csp-{}", verb.get_name());
        let usage = format!("csp {}", verb.get_name());
        let page = verb.clone().display_name(name.clone()).bin_name(usage);
        (name, page)
    });
    let mut pages: Vec<_> = verbs.collect();
    pages.insert(0, ("csp".to_owned(), whole));
    pages
}

fn page(command: Command) -> Result<String, Failure> {
    let mut page = Vec::new();
    Man::new(command)
        .render(&mut page)
        .map_err(|e| Failure::Message(e.to_string()))?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
