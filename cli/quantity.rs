//! Times and sizes as users write them: `90`, `2s`, `5m`, `1h`; `500M`, `8G`, `1.5GiB`.

/// A number and what stands after it.
fn split(text: &str) -> Option<(f64, String)> {
    let text = text.trim();
    let unit = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(unit);
    let number: f64 = number.parse().ok()?;
    number
        .is_finite()
        .then(|| (number, unit.trim().to_ascii_lowercase()))
}

/// The longest time that means anything: a century, about.
const LONGEST: f64 = 100.0 * 366.0 * 86_400.0;

/// A time in seconds, as the value of an option.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let wrong = || "not a time such as 90, 2s, 5m or 1h".to_owned();
    let (number, unit) = split(text).ok_or_else(wrong)?;
    let unit = match unit.as_str() {
        "" | "s" | "sec" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3_600.0,
        "d" => 86_400.0,
        _ => return Err(wrong()),
    };
    let seconds = number * unit;
    if seconds > LONGEST {
        return Err("longer than a century; leave it out for no limit".to_owned());
    }
    Ok(seconds)
}

/// A size in bytes; units are powers of 1024.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("'{text}' is not a size such as 500M or 8G");
    let (number, unit) = split(text).ok_or_else(wrong)?;
    let power = match unit.as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        _ => return Err(wrong()),
    };
    let bytes = number * 1024f64.powi(power);
    // Beyond that a float does not count bytes, nor has a machine them.
    if bytes > (1u64 << 53) as f64 {
        return Err(wrong());
    }
    Ok(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, expected) in [
            ("90", 90.0),
            ("0.5", 0.5),
            ("2s", 2.0),
            ("5m", 300.0),
            ("1h", 3_600.0),
            ("250ms", 0.25),
            ("1.5 h", 5_400.0),
        ] {
            assert_eq!(seconds(text), Ok(expected), "{text}");
        }
        for text in [
            "inf",
            "nan",
            "-1",
            "1e300",
            "",
            "s",
            "5 parsecs",
            "9999999999999",
        ] {
            assert!(seconds(text).is_err(), "{text}");
        }
        assert!(seconds(&"9".repeat(400)).is_err());
    }

    #[test]
    fn sizes_have_units() {
        for (text, expected) in [
            ("512", 512),
            ("500M", 500 << 20),
            ("8g", 8 << 30),
            ("1.5GiB", 3 << 29),
            ("1T", 1 << 40),
        ] {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
        for text in ["lots", "99999999999G", "-1", "inf", "nan", "1e3", ""] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
