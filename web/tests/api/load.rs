//! Many tabs at once, for a moment; `cargo xtask load` does it for half a minute, with figures.

use std::path::Path;

use serde_json::json;

use crate::client::Client;
use crate::philosophers;

#[test]
fn fifty_tabs_ask_at_once() {
    let client = Client::start(Path::new(".."));
    std::thread::scope(|scope| {
        for tab in 0..50 {
            let client = client.tab(&format!("tab-{tab}"));
            scope.spawn(move || {
                for n in 0..4 {
                    client.ok("read", &json!({ "file": "models/philosophers.csp" }));
                    let asked =
                        json!({ "script": philosophers(), "expression": format!("{tab} + {n}") });
                    assert_eq!(
                        client.ok("evaluate", &asked)["value"],
                        (tab + n).to_string()
                    );
                }
                let outline = client.ok("outline", &json!({ "script": philosophers() }));
                assert_eq!(outline["assertions"].as_array().map(Vec::len), Some(4));
                client.ok("leave", &json!({}));
            });
        }
    });
    assert_eq!(client.report(&philosophers(), 1)["verdict"], "fail");
}
