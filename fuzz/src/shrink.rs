//! Makes a failing input smaller as long as it keeps failing in the same way.

/// More attempts than this are not made.
const MOST_TRIALS: usize = 2_000;

/// A way to take a text apart.
type Cut<'c> = &'c dyn Fn(&str) -> Vec<String>;

/// A smaller text for which `fails` still says yes: lines first, then words, then characters.
pub fn shrink(text: &str, mut fails: impl FnMut(&str) -> bool) -> String {
    let mut best = text.to_owned();
    let mut trials = 0;
    let by_line = |t: &str| t.split_inclusive('\n').map(str::to_owned).collect();
    let by_word = |t: &str| t.split_inclusive(' ').map(str::to_owned).collect();
    let by_character = |t: &str| t.chars().map(String::from).collect();
    let cuts: [Cut<'_>; 3] = [&by_line, &by_word, &by_character];
    loop {
        let before = best.len();
        for cut in cuts {
            remove_parts(&mut best, cut, &mut fails, &mut trials);
        }
        if best.len() == before || trials >= MOST_TRIALS {
            return best;
        }
    }
}

/// Leaves out parts, in halves, quarters and so on.
fn remove_parts(
    best: &mut String,
    cut: Cut<'_>,
    fails: &mut impl FnMut(&str) -> bool,
    trials: &mut usize,
) {
    let mut parts = cut(best);
    let mut size = parts.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < parts.len() && *trials < MOST_TRIALS {
            let end = (at + size).min(parts.len());
            let shorter = parts[..at].concat() + &parts[end..].concat();
            *trials += 1;
            if fails(&shorter) {
                parts.drain(at..end);
            } else {
                at = end;
            }
        }
        size /= 2;
    }
    *best = parts.concat();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_is_left() {
        let text = "a b c\nd needle e\nf\n";
        assert_eq!(shrink(text, |t| t.contains("needle")), "needle");
    }
}
