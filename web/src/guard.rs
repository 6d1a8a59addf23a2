//! Who may ask: only pages that this server has sent, and only with the token of its address.
//!
//! The `Host` of every request must be a name of this server, which keeps other names that point to the
//! same address (DNS rebinding) out; `Origin`, where a browser sends one, must be this server's; and
//! everything that computes, reads or writes wants the token.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::refusal::Refusal;

/// No inline scripts, no inline styles, nothing from elsewhere. Graph drawing is compiled WebAssembly.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The names of this server and the token.
#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) hosts: Vec<String>,
    pub(crate) token: String,
}

impl Guard {
    fn knows_host(&self, headers: &HeaderMap) -> bool {
        let host = headers.get(header::HOST).and_then(|h| h.to_str().ok());
        host.is_some_and(|host| {
            self.hosts
                .iter()
                .any(|known| known.eq_ignore_ascii_case(host))
        })
    }

    fn knows_origin(&self, headers: &HeaderMap) -> bool {
        let Some(origin) = headers.get(header::ORIGIN) else {
            return true;
        };
        let host = origin.to_str().ok().and_then(|o| o.strip_prefix("http://"));
        host.is_some_and(|host| {
            self.hosts
                .iter()
                .any(|known| known.eq_ignore_ascii_case(host))
        })
    }

    fn has_token(&self, headers: &HeaderMap) -> bool {
        let sent = headers.get("x-csp-token").map(HeaderValue::as_bytes);
        sent.is_some_and(|sent| same(sent, self.token.as_bytes()))
    }
}

/// Whether two texts are the same, in a time that does not tell where they differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |all, (x, y)| all | (x ^ y)) == 0
}

/// Refuses strangers; sets the headers that keep the page to itself.
pub(crate) async fn guard(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let refused = |why: &str| Refusal::new(StatusCode::FORBIDDEN, why).into_response();
    let mut response = if !guard.knows_host(headers) {
        refused("this server does not go by that name")
    } else if !guard.knows_origin(headers) {
        refused("requests from other pages are not answered")
    } else if request.uri().path().starts_with("/api/") && !guard.has_token(headers) {
        Refusal::new(
            StatusCode::UNAUTHORIZED,
            "the address has no token or an old one: open the address that csp web printed",
        )
        .into_response()
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (
                header::HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn strangers_are_told_apart() {
        let guard = Guard {
            hosts: vec!["127.0.0.1:80".to_owned(), "localhost:80".to_owned()],
            token: "abc".to_owned(),
        };
        assert!(guard.knows_host(&headers(&[("host", "LOCALHOST:80")])));
        assert!(!guard.knows_host(&headers(&[("host", "evil.example:80")])));
        assert!(!guard.knows_host(&headers(&[])));
        assert!(guard.knows_origin(&headers(&[])));
        assert!(guard.knows_origin(&headers(&[("origin", "http://127.0.0.1:80")])));
        for other in [
            "http://evil.example",
            "https://127.0.0.1:80",
            "null",
            "http://127.0.0.1:8080",
        ] {
            let value = HeaderValue::from_static(other);
            assert!(
                !guard.knows_origin(&HeaderMap::from_iter([(header::ORIGIN, value)])),
                "{other}"
            );
        }
        assert!(guard.has_token(&headers(&[("x-csp-token", "abc")])));
        assert!(!guard.has_token(&headers(&[("x-csp-token", "abcd")])));
        assert!(!guard.has_token(&headers(&[])));
    }
}
