//! States per second over numbers of threads, as a picture in SVG.

use std::fmt::Write;

use super::Row;
use crate::escape;

const LEFT: f64 = 76.0;
const TOP: f64 = 58.0;
const HEIGHT: f64 = 240.0;
const BAR: f64 = 56.0;
const PITCH: f64 = 92.0;
/// About as wide as a letter of the title.
const LETTER: f64 = 7.6;

/// A bar for each number of threads, with its rate and speed-up; dashes show where it would be if
/// threads did not get in each other's way.
#[must_use]
pub fn svg(rows: &[Row], title: &str) -> String {
    let title = format!("{title}: states per second");
    let ideal = |row: &Row| {
        let first = &rows[0];
        first.rate * row.threads as f64 / first.threads as f64
    };
    let fastest = rows
        .iter()
        .map(|r| r.rate.max(ideal(r)))
        .fold(1.0, f64::max);
    let tick = nice(fastest / 4.0);
    let top = (fastest / tick).ceil() * tick;
    let y = |rate: f64| TOP + HEIGHT * (1.0 - rate / top);
    let right = LEFT + rows.len() as f64 * PITCH + 16.0;
    let width = right
        .max(title.chars().count() as f64 * LETTER + 40.0)
        .max(360.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{:.0}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"20\" y=\"28\" font-size=\"14\" fill=\"#112\">{}</text>\n",
        TOP + HEIGHT + 64.0,
        escape::xml(&title)
    );
    let mut value = 0.0;
    while value <= top + tick / 2.0 {
        let at = y(value);
        let _ = writeln!(
            out,
            "<path d=\"M{LEFT},{at:.1} H{right:.0}\" stroke=\"#dde\"/>\
             <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#445\">{}</text>",
            LEFT - 8.0,
            at + 4.0,
            rate(value)
        );
        value += tick;
    }
    for (i, row) in rows.iter().enumerate() {
        let x = LEFT + i as f64 * PITCH + (PITCH - BAR) / 2.0;
        let (middle, at) = (x + BAR / 2.0, y(row.rate));
        let wished = y(ideal(row));
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{at:.1}\" width=\"{BAR}\" height=\"{:.1}\" fill=\"#4477aa\"/>\n\
             <path d=\"M{:.1},{wished:.1} h{:.1}\" stroke=\"#b5482f\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\"/>\n\
             <text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#112\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\">{}</text>\n\
             <text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#112\">{} thread{}</text>\n\
             <text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#445\">×{:.2}</text>",
            TOP + HEIGHT - at,
            x - 10.0,
            BAR + 20.0,
            at - 6.0,
            rate(row.rate),
            TOP + HEIGHT + 18.0,
            row.threads,
            if row.threads == 1 { "" } else { "s" },
            TOP + HEIGHT + 35.0,
            row.speed_up,
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{LEFT}\" y=\"{:.0}\" fill=\"#b5482f\" font-size=\"11\">- - as many times as fast as there are threads</text>",
        TOP + HEIGHT + 55.0
    );
    out.push_str("</svg>\n");
    out
}

/// The next of 1, 2, 5, 10, 20 … that is not smaller.
fn nice(value: f64) -> f64 {
    let power = 10f64.powf(value.max(1e-9).log10().floor());
    let mantissas = [1.0, 2.0, 5.0, 10.0];
    let fit = mantissas.into_iter().find(|m| m * power >= value * 0.999);
    fit.unwrap_or(10.0) * power
}

/// A rate with the unit that suits it.
fn rate(value: f64) -> String {
    if value >= 1e6 {
        format!("{} M/s", rounded(value / 1e6))
    } else if value >= 1e3 {
        format!("{} k/s", rounded(value / 1e3))
    } else {
        format!("{value:.0}/s")
    }
}

fn rounded(value: f64) -> String {
    let digits = if value < 10.0 { 2 } else { 1 };
    let text = format!("{value:.digits$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_and_rates_are_round() {
        assert!((nice(0.7) - 1.0).abs() < 1e-9 && (nice(130.0) - 200.0).abs() < 1e-9);
        assert_eq!(rate(1_230_000.0), "1.23 M/s");
        assert_eq!(rate(20_000.0), "20 k/s");
        assert_eq!(rate(0.0), "0/s");
    }
}
