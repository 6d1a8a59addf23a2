//! The workbench in the browser: a thin layer of HTTP over the session, and the built page inside.
//!
//! [`Server::bind`] opens a folder and a port on loopback, [`Server::address`] is what to open in a browser,
//! [`Server::run`] serves until it is told to stop. Each tab has sessions of its own (`seats`); what a tab asks
//! for ends when the tab goes away, because progress is the answer to the request itself (`stream`).
//! Who may ask is decided in one place (`guard`), and which files in another (`folder`).
//!
//! ```
//! use csp_web::ServerOptions;
//!
//! // Unless the user says otherwise, nobody outside this machine can ask.
//! assert!(ServerOptions::default().host.is_loopback());
//! ```

mod api;
mod assets;
mod folder;
mod guard;
mod refusal;
mod seats;
mod stream;
mod work;

use std::io::{Error, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

use crate::folder::Folder;
use crate::guard::Guard;
use crate::work::Bench;

/// What to serve, and where.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// A script or a folder of scripts.
    pub path: PathBuf,
    /// The address to listen on; loopback unless the user says otherwise.
    pub host: IpAddr,
    /// 0 lets the system choose.
    pub port: u16,
    /// Worker threads of a check that does not say how many.
    pub threads: usize,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            path: PathBuf::from("."),
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            threads: 1,
        }
    }
}

/// A server that has its port and does not answer yet.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    bench: Arc<Bench>,
    guard: Arc<Guard>,
    at: SocketAddr,
}

/// Requests longer than this are refused: a script of the greatest length, escaped, and room for the rest.
const MOST_BODY: usize = 4 << 20;

impl Server {
    /// Opens the folder and the port.
    pub fn bind(options: &ServerOptions) -> Result<Self, Error> {
        let folder = Folder::open(&options.path).map_err(|e| {
            let path = options.path.display();
            Error::new(e.kind(), format!("cannot open {path}: {e}"))
        })?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let asked = SocketAddr::new(options.host, options.port);
        let listener = runtime.block_on(TcpListener::bind(asked)).map_err(|e| {
            let hint = match e.kind() {
                ErrorKind::AddrInUse => "; --port 0 lets the system choose another",
                _ => "",
            };
            Error::new(e.kind(), format!("cannot listen on {asked}: {e}{hint}"))
        })?;
        let at = listener.local_addr()?;
        let guard = Guard {
            hosts: names(at),
            token: token()?,
        };
        Ok(Self {
            runtime,
            listener,
            bench: Arc::new(Bench::new(folder, options.threads)),
            guard: Arc::new(guard),
            at,
        })
    }

    /// What to open in a browser.
    #[must_use]
    pub fn address(&self) -> String {
        let view = match &self.bench.folder.first {
            Some(file) => format!("#/session?file={}", escaped(file)),
            None => String::new(),
        };
        format!("http://{}/?token={}{view}", self.at, self.guard.token)
    }

    /// Serves until `stopped` says so; asked some times a second.
    pub fn run(self, stopped: impl Fn() -> bool + Send + 'static) -> Result<(), Error> {
        let router = Router::new()
            .nest("/api", api::router())
            .fallback(assets::asset)
            .layer(DefaultBodyLimit::max(MOST_BODY))
            .layer(from_fn_with_state(self.guard, guard::guard))
            .with_state(Arc::clone(&self.bench));
        let bench = Arc::clone(&self.bench);
        let ended = async move {
            while !stopped() {
                tokio::time::sleep(std::time::Duration::from_millis(200)).await;
                bench.tidy();
            }
            bench.stop();
        };
        self.runtime.block_on(async {
            tokio::select! {
                served = axum::serve(self.listener, router) => served,
                () = ended => Ok(()),
            }
        })?;
        // What still runs was asked to stop; it is not waited for.
        self.runtime.shutdown_background();
        Ok(())
    }
}

/// The names under which browsers reach an address.
fn names(at: SocketAddr) -> Vec<String> {
    let port = at.port();
    let mut names = vec![at.to_string()];
    if at.ip().is_loopback() || at.ip().is_unspecified() {
        names.push(format!("localhost:{port}"));
        names.push(format!("127.0.0.1:{port}"));
        names.push(format!("[::1]:{port}"));
    }
    names
}

/// A secret from the system's generator.
fn token() -> Result<String, Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|e| Error::other(format!("the system gives no random numbers: {e}")))?;
    Ok(bytes.iter().map(|b| format!("{b:02x}")).collect())
}

/// A file name in an address.
fn escaped(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/".contains(&b);
    let piece = |b: u8| {
        if plain(b) {
            char::from(b).to_string()
        } else {
            format!("%{b:02X}")
        }
    };
    text.bytes().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_addresses_are_escaped() {
        assert_eq!(escaped("a b/ü&.csp"), "a%20b/%C3%BC%26.csp");
    }
}
