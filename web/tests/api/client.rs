//! A client of the server, by hand: one connection for each request. Whatever it is answered has the shape that the
//! schema gives the route.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use csp_web::{Server, ServerOptions};
use serde_json::{Value, json};

use crate::{schema, valid, valid_of};

/// A server of its own for a test, and a tab.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) host: String,
    pub(crate) token: String,
    tab: String,
    _server: Arc<Stop>,
}

/// Stops the server with the last client.
struct Stop(Arc<AtomicBool>);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Client {
    pub(crate) fn start(folder: &Path) -> Self {
        let server = Server::bind(&ServerOptions {
            path: folder.to_owned(),
            threads: 2,
            ..ServerOptions::default()
        })
        .expect("a port");
        let address = server.address();
        let (host, token) = address
            .strip_prefix("http://")
            .and_then(|rest| rest.split_once("/?token="))
            .expect("an address with a token");
        let stopped = Arc::new(AtomicBool::new(false));
        let client = Self {
            host: host.to_owned(),
            token: token.to_owned(),
            tab: "test".to_owned(),
            _server: Arc::new(Stop(Arc::clone(&stopped))),
        };
        std::thread::spawn(move || server.run(move || stopped.load(Ordering::Relaxed)));
        client
    }

    /// Another tab of the same server.
    pub(crate) fn tab(&self, name: &str) -> Self {
        Self {
            tab: name.to_owned(),
            ..self.clone()
        }
    }

    fn connect(
        &self,
        method: &str,
        path: &str,
        host: &str,
        headers: &str,
        body: &str,
    ) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).expect("connected");
        stream
            .set_read_timeout(Some(Duration::from_secs(120)))
            .expect("set");
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{headers}\r\n"
        );
        // A server that refuses a long body may close before it has read all of it.
        let _ = stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(body.as_bytes()));
        stream
    }

    /// Status, head and body.
    pub(crate) fn raw_whole(
        &self,
        method: &str,
        path: &str,
        host: &str,
        headers: &str,
        body: &str,
    ) -> (u16, String, String) {
        let mut stream = self.connect(method, path, host, headers, body);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|s| s.parse().ok())
            .unwrap_or(0);
        let body = if head.to_lowercase().contains("transfer-encoding: chunked") {
            unchunked(body)
        } else {
            body.to_owned()
        };
        (status, head.to_owned(), body)
    }

    pub(crate) fn raw(
        &self,
        method: &str,
        path: &str,
        host: &str,
        headers: &str,
        body: &str,
    ) -> (u16, String) {
        let (status, _, body) = self.raw_whole(method, path, host, headers, body);
        (status, body)
    }

    fn headers(&self) -> String {
        format!("x-csp-token: {}\r\nx-csp-tab: {}\r\n", self.token, self.tab)
    }

    pub(crate) fn send(&self, path: &str, body: &str) -> (u16, String) {
        self.raw(
            "POST",
            &format!("/api/{path}"),
            &self.host,
            &self.headers(),
            body,
        )
    }

    /// Status and answer; a stream is left as text.
    pub(crate) fn ask(&self, path: &str, body: &Value) -> (u16, Value) {
        let (status, text) = self.send(path, &body.to_string());
        let answer = serde_json::from_str(&text).unwrap_or(Value::String(text));
        match status {
            200 if schema()["routes"][path].is_object() => {}
            200 => valid_of(path, None, &answer),
            // A body that was refused for its length may have cut its own answer off.
            413 if !answer.is_object() => {}
            _ => valid("refusal", &answer),
        }
        (status, answer)
    }

    pub(crate) fn ok(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.ask(path, body);
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    /// Sends a request and does not wait for what comes of it.
    pub(crate) fn begin(&self, path: &str, body: &Value) -> TcpStream {
        self.connect(
            "POST",
            &format!("/api/{path}"),
            &self.host,
            &self.headers(),
            &body.to_string(),
        )
    }

    /// The status of an answer, without the rest of it.
    pub(crate) fn status(mut stream: TcpStream) -> u16 {
        let mut head = [0; 12];
        let _ = stream.read_exact(&mut head);
        let text = String::from_utf8_lossy(&head);
        text.split(' ')
            .nth(1)
            .and_then(|s| s.parse().ok())
            .unwrap_or(0)
    }

    /// The events of a stream, to its end.
    pub(crate) fn events(&self, path: &str, body: &Value) -> Vec<(String, Value)> {
        let (status, text) = self.send(path, &body.to_string());
        assert_eq!(status, 200, "{path}: {text}");
        let event = |block: &str| {
            let field = |name: &str| {
                block
                    .lines()
                    .find_map(|l| l.strip_prefix(name))
                    .map(str::trim)
                    .map(str::to_owned)
            };
            let data = field("data:").and_then(|d| serde_json::from_str(&d).ok());
            Some((field("event:")?, data?))
        };
        let told: Vec<(String, Value)> = text.split("\n\n").filter_map(event).collect();
        for (name, data) in &told {
            valid_of(path, Some(name), data);
        }
        told
    }

    /// The report of a check.
    pub(crate) fn report(&self, script: &Value, number: usize) -> Value {
        let events = self.events("check", &json!({ "script": script, "number": number }));
        let report = events.iter().find(|(name, _)| name == "report");
        report
            .unwrap_or_else(|| panic!("no report: {events:?}"))
            .1
            .clone()
    }
}

fn unchunked(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let Ok(size) = usize::from_str_radix(size.trim(), 16) else {
            break;
        };
        if size == 0 || rest.len() < size || !rest.is_char_boundary(size) {
            break;
        }
        whole.push_str(&rest[..size]);
        body = rest[size..].trim_start_matches("\r\n");
    }
    whole
}
