//! A crowd: tabs that ask small questions of `csp web` on loopback, with figures.
//!
//! Each tab is a thread with one connection that it keeps; requests are sent at even times, so that a slow answer shows
//! as a late one and not as fewer requests. What the server holds is read from the system before, at the highest, and
//! after the tabs have gone.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many tabs ask how often, and for how long.
pub(crate) struct Load {
    pub(crate) tabs: u32,
    pub(crate) rate: u32,
    pub(crate) seconds: u64,
}

impl Default for Load {
    fn default() -> Self {
        Self {
            tabs: 50,
            rate: 500,
            seconds: 30,
        }
    }
}

/// Starts the command over `models`, asks, and says what was seen; an error if any request was not answered well or if
/// the memory does not return.
pub(crate) fn run(root: &Path, csp: &Path, load: &Load) -> Result<String, String> {
    let server = Server::start(root, csp)?;
    // What is made once (threads, tables) is no part of what the tabs take.
    Tab::open(&server, "first")?.ask(0)?;
    let before = server.memory()?;
    let (peak, wrong) = (AtomicU64::new(before), Mutex::new(Vec::new()));
    let mut times: Vec<Duration> = Vec::new();
    let start = Instant::now();
    std::thread::scope(|scope| {
        let tabs: Vec<_> = (0..load.tabs)
            .map(|n| {
                let (server, wrong) = (&server, &wrong);
                scope.spawn(move || {
                    tab(server, n, start, load).unwrap_or_else(|reason| {
                        wrong
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .push(reason);
                        Vec::new()
                    })
                })
            })
            .collect();
        while start.elapsed().as_secs() < load.seconds {
            std::thread::sleep(Duration::from_millis(200));
            peak.fetch_max(server.memory().unwrap_or(0), Ordering::Relaxed);
        }
        for tab in tabs {
            times.extend(tab.join().unwrap_or_default());
        }
    });
    let took = start.elapsed().as_secs_f64();
    std::thread::sleep(Duration::from_secs(3));
    let after = server.memory()?;
    let wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(first) = wrong.first() {
        return Err(format!(
            "{} of the tabs stopped; the first: {first}",
            wrong.len()
        ));
    }
    times.sort_unstable();
    let at = |part: usize| {
        let place = (times.len() * part / 1_000).min(times.len().saturating_sub(1));
        times.get(place).map_or(0.0, |t| t.as_secs_f64() * 1e3)
    };
    let megabytes = |bytes: u64| bytes / (1 << 20);
    let peak = peak.into_inner();
    let said = format!(
        "{} tabs, {} requests in {took:.1} s ({:.0} a second), none refused\n\
         time of an answer: median {:.1} ms, 99 % {:.1} ms, longest {:.1} ms\n\
         memory of the server: {} MB before, {} MB at most, {} MB after the tabs have gone",
        load.tabs,
        times.len(),
        times.len() as f64 / took,
        at(500),
        at(990),
        at(1_000),
        megabytes(before),
        megabytes(peak),
        megabytes(after),
    );
    // A quarter of what was taken, and a little, may stay: threads of the pool, pages that are partly used.
    let kept = before + (peak - before) / 4 + (32 << 20);
    if after > kept {
        return Err(format!("the memory does not return\n{said}"));
    }
    Ok(said)
}

/// The requests of one tab; how long each took.
fn tab(server: &Server, number: u32, start: Instant, load: &Load) -> Result<Vec<Duration>, String> {
    let mut tab = Tab::open(server, &format!("tab-{number}"))?;
    let every = Duration::from_secs_f64(f64::from(load.tabs) / f64::from(load.rate));
    let first = every * number / load.tabs;
    let mut times = Vec::new();
    for n in 0.. {
        let due = first + every * n;
        if due.as_secs() >= load.seconds {
            break;
        }
        std::thread::sleep(due.saturating_sub(start.elapsed()));
        tab.ask(n)?;
        times.push(start.elapsed().saturating_sub(due));
    }
    tab.post("leave", "{}")?;
    Ok(times)
}

/// One connection.
struct Tab {
    stream: BufReader<TcpStream>,
    head: String,
}

impl Tab {
    fn open(server: &Server, name: &str) -> Result<Self, String> {
        let said = |e: std::io::Error| format!("{name}: {e}");
        let stream = TcpStream::connect(&server.host).map_err(said)?;
        stream.set_nodelay(true).map_err(said)?;
        let wait = Some(Duration::from_secs(20));
        stream.set_read_timeout(wait).map_err(said)?;
        let (host, token) = (&server.host, &server.token);
        Ok(Self {
            stream: BufReader::new(stream),
            head: format!(
                "host: {host}\r\ncontent-type: application/json\r\nx-csp-token: {token}\r\nx-csp-tab: {name}\r\n"
            ),
        })
    }

    /// One of some small questions.
    fn ask(&mut self, n: u32) -> Result<(), String> {
        let script = r#""script":{"file":"philosophers.csp","defines":{}}"#;
        match n % 5 {
            0 => self.post("outline", &format!("{{{script}}}")),
            1 => self.post(
                "evaluate",
                &format!("{{{script},\"expression\":\"next({})\"}}", n % 5),
            ),
            2 => self.post("about", &format!("{{{script},\"line\":20,\"column\":18}}")),
            3 => self.post("read", r#"{"file":"philosophers.csp"}"#),
            _ => self.post(
                "explore",
                &format!(
                    "{{{script},\"process\":\"Symmetric\",\"path\":[\"sits.{}\"]}}",
                    n % 4
                ),
            ),
        }
    }

    fn post(&mut self, route: &str, body: &str) -> Result<(), String> {
        let said = |e: std::io::Error| format!("{route}: {e}");
        let (head, length) = (&self.head, body.len());
        let request =
            format!("POST /api/{route} HTTP/1.1\r\n{head}content-length: {length}\r\n\r\n{body}");
        let socket = self.stream.get_mut();
        socket.write_all(request.as_bytes()).map_err(said)?;
        let mut status = String::new();
        self.stream.read_line(&mut status).map_err(said)?;
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).map_err(said)?;
            if line.trim().is_empty() {
                break;
            }
            if let Some(text) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = text
                    .trim()
                    .parse()
                    .map_err(|_| format!("{route}: {line}"))?;
            }
        }
        let mut answer = vec![0; length];
        self.stream.read_exact(&mut answer).map_err(said)?;
        if status.contains(" 200 ") {
            return Ok(());
        }
        let answer = String::from_utf8_lossy(&answer);
        Err(format!("{route}: {} {answer}", status.trim()))
    }
}

/// The command, until this goes.
struct Server {
    child: Child,
    host: String,
    token: String,
}

impl Server {
    fn start(root: &Path, csp: &Path) -> Result<Self, String> {
        let said = |e: std::io::Error| format!("{} cannot be run: {e}", csp.display());
        let mut child = Command::new(csp)
            .args(["web", "--no-open", "models"])
            // What is freed is given back at once, so that what the allocator keeps for later does not count as held.
            .env("MIMALLOC_PURGE_DELAY", "0")
            .env("MIMALLOC_ABANDONED_PAGE_PURGE", "1")
            .current_dir(root)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(said)?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            BufReader::new(out).read_line(&mut line).map_err(said)?;
        }
        let parts = line
            .trim()
            .strip_prefix("http://")
            .and_then(|rest| rest.split_once("/?token="));
        let (host, token) = parts
            .map(|(host, token)| (host.to_owned(), token.to_owned()))
            .unwrap_or_default();
        Ok(Self { child, host, token })
    }

    /// The bytes that it holds.
    fn memory(&self) -> Result<u64, String> {
        resident(self.child.id())
    }
}

/// The bytes that a process holds.
pub(crate) fn resident(process: u32) -> Result<u64, String> {
    let path = format!("/proc/{process}/status");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{path}: {e}"))?;
    let line = text.lines().find_map(|l| l.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|l| l.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes
        .map(|k| k << 10)
        .ok_or_else(|| format!("{path} names no memory"))
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
