//! SARIF 2.1.0: diagnostics and failed assertions as results, counterexamples as code flows.

use serde_json::{Value, json};

use crate::report::{AssertionReport, DiagnosticReport, Report, VerdictReport};

/// The report as a SARIF log.
#[must_use]
pub fn whole(report: &Report) -> String {
    let mut results: Vec<Value> = report.diagnostics.iter().map(diagnostic).collect();
    for assertion in &report.assertions {
        results.extend(assertion.diagnostics.iter().map(diagnostic));
        if assertion.verdict == VerdictReport::Fail {
            results.push(failure(&report.file, assertion));
        }
    }
    let log = json!({
        "version": "2.1.0",
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "runs": [{
            "tool": { "driver": { "name": report.tool, "version": report.version } },
            "results": results,
        }],
    });
    let mut text = serde_json::to_string_pretty(&log).expect("reports have only string keys");
    text.push('\n');
    text
}

fn location(file: &str, region: &Value) -> Value {
    json!({ "physicalLocation": { "artifactLocation": { "uri": file }, "region": region } })
}

fn diagnostic(d: &DiagnosticReport) -> Value {
    let region = json!({
        "startLine": d.line, "startColumn": d.column, "endLine": d.end_line, "endColumn": d.end_column
    });
    json!({
        "ruleId": d.code,
        "level": d.severity,
        "message": { "text": d.message },
        "locations": [location(&d.file, &region)],
    })
}

fn failure(file: &str, assertion: &AssertionReport) -> Value {
    let region = json!({ "startLine": assertion.line });
    let flows: Vec<Value> = assertion
        .counterexamples
        .iter()
        .map(|c| {
            let steps: Vec<Value> = c
                .revealed
                .iter()
                .map(|event| {
                    let mut place = location(file, &region);
                    place["message"] = json!({ "text": event });
                    json!({ "location": place })
                })
                .collect();
            json!({ "message": { "text": c.explanation }, "threadFlows": [{ "locations": steps }] })
        })
        .collect();
    let explanation = assertion
        .counterexamples
        .first()
        .map_or("", |c| c.explanation.as_str());
    json!({
        "ruleId": "assertion",
        "level": "error",
        "message": { "text": format!("assert {} fails: {explanation}", assertion.text) },
        "locations": [location(file, &region)],
        "codeFlows": flows,
    })
}
