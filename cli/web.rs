//! `web`: the workbench in the browser.

use std::process::{Command, Stdio};

use csp_web::{Server, ServerOptions};

use crate::args::WebArguments;
use crate::interrupt;
use crate::output::{Failure, Terminal};

pub(crate) fn run(options: &WebArguments, terminal: &Terminal) -> Result<u8, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let said = |error: std::io::Error| Failure::Message(error.to_string());
    let server = Server::bind(&ServerOptions {
        path: options.path.clone(),
        host: options.host,
        port: options.port,
        threads: options.threads.unwrap_or(cores).max(1),
    })
    .map_err(said)?;
    let address = server.address();
    terminal.print(&format!("{address}\n"))?;
    if !options.host.is_loopback() {
        terminal.note(
            "csp: whoever can reach this machine and knows the address can read and write the scripts of this folder\n",
        );
    }
    if !options.no_open {
        open(&address, terminal);
    }
    server.run(interrupt::requested).map_err(said)?;
    Ok(0)
}

/// Opens a browser; without one, the address that was printed is enough.
fn open(address: &str, terminal: &Terminal) {
    let commands: &[&[&str]] = if cfg!(target_os = "macos") {
        &[&["open"]]
    } else if cfg!(windows) {
        &[&["cmd", "/C", "start", ""]]
    } else {
        &[&["xdg-open"], &["wslview"]]
    };
    let opened = commands.iter().any(|words| {
        Command::new(words[0])
            .args(&words[1..])
            .arg(address)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .is_ok()
    });
    if !opened {
        terminal.note("csp: no browser was found; open the address above\n");
    }
}
