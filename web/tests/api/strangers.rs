//! Who asks without the token, under another name, from another page, or for what is outside the folder.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::client::Client;
use crate::text;

#[test]
fn strangers_get_nothing() {
    let client = Client::start(Path::new(".."));
    let own = client.host.clone();
    let token = format!("x-csp-token: {}\r\n", client.token);
    for route in [
        "folder", "read", "save", "leave", "outline", "about", "brackets", "evaluate", "watch",
        "explain", "check", "explore", "events", "until", "why-not", "graph", "scale", "survey",
        "table", "lamp", "live",
    ] {
        let path = format!("/api/{route}");
        let ask = |host: &str, extra: &str| client.raw("POST", &path, host, extra, "{}").0;
        assert_eq!(ask(&own, ""), 401, "{route}");
        assert_eq!(ask(&own, "x-csp-token: 0000\r\n"), 401, "{route}");
        assert_eq!(ask("evil.example", &token), 403, "{route}");
        let elsewhere = format!("{token}origin: http://evil.example\r\n");
        assert_eq!(ask(&own, &elsewhere), 403, "{route}");
    }
    let ask = |extra: &str| client.raw("POST", "/api/folder", &own, extra, "{}").0;
    assert_eq!(ask(&token), 200);
    assert_eq!(ask(&format!("{token}origin: http://{own}\r\n")), 200);
    // The token is no part of an address that a page could link to.
    let linked = format!("/api/folder?token={}", client.token);
    assert_eq!(client.raw("POST", &linked, &own, "", "{}").0, 401);
    assert_eq!(client.raw("GET", "/api/folder", &own, &token, "").0, 405);
}

#[test]
fn the_page_comes_with_its_policy() {
    let client = Client::start(Path::new(".."));
    let (status, head, page) = client.raw_whole("GET", "/", &client.host, "", "");
    assert_eq!(status, 200);
    assert!(page.contains("<script type=\"module\""));
    assert!(!page.contains("<style") && !page.contains("style=") && !page.contains("onclick"));
    let mut lines = head.lines().map(str::to_lowercase);
    let policy = lines.find(|l| l.starts_with("content-security-policy"));
    let policy = policy.expect("a policy");
    assert!(
        !policy.contains("unsafe-inline")
            && !policy.contains("'unsafe-eval'")
            && policy.contains("default-src 'none'"),
        "{policy}"
    );
    assert_eq!(
        client.raw("GET", "/../Cargo.toml", &client.host, "", "").0,
        404
    );
    assert_eq!(client.raw("GET", "/", "evil.example", "", "").0, 403);
}

#[test]
fn paths_stay_inside_the_folder() {
    let root = std::env::temp_dir().join(format!("csp-web-paths-{}", std::process::id()));
    fs::create_dir_all(root.join("inside/deep")).expect("made");
    fs::write(root.join("secret.csp"), "SECRET = STOP\n").expect("written");
    fs::write(root.join("inside/a.csp"), "P = STOP\n").expect("written");
    let mut outside = vec![
        "../secret.csp".to_owned(),
        "deep/../../secret.csp".to_owned(),
        "./../secret.csp".to_owned(),
        "/etc/passwd".to_owned(),
        root.join("secret.csp").display().to_string(),
    ];
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(root.join("secret.csp"), root.join("inside/link.csp")).expect("linked");
        symlink(&root, root.join("inside/up")).expect("linked");
        outside.extend(["link.csp".to_owned(), "up/secret.csp".to_owned()]);
    }
    let client = Client::start(&root.join("inside"));
    for file in &outside {
        let script = json!({ "file": file, "defines": {} });
        for (route, body) in [
            ("read", json!({ "file": file })),
            ("save", json!({ "file": file, "text": "x", "stamp": null })),
            ("outline", json!({ "script": script })),
            ("check", json!({ "script": script, "number": 1 })),
            (
                "explore",
                json!({ "script": script, "process": "SECRET", "path": [] }),
            ),
            ("survey", json!({ "script": script, "from": 1, "to": 1 })),
        ] {
            let (status, refused) = client.ask(route, &body);
            assert_eq!(status, 403, "{route} {file}: {refused}");
        }
        // A script that includes what is outside.
        let including = text(&format!("include \"{file}\"\nP = SECRET\n"));
        let outline = client.ok("outline", &json!({ "script": including }));
        let wrong = outline["diagnostics"].as_array().expect("diagnostics");
        assert!(!wrong.is_empty(), "{file} was included");
        let names = outline["definitions"].to_string();
        assert!(!names.contains("SECRET"), "{file} was included");
    }
    let kept = fs::read_to_string(root.join("secret.csp")).expect("read");
    assert_eq!(kept, "SECRET = STOP\n");
    fs::remove_dir_all(root).expect("removed");
}
