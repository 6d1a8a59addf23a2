//! The names nearest to a misspelt one, by optimal string alignment distance (insertions,
//! deletions, replacements and swaps of neighbours).

/// At most this many suggestions are given.
const SUGGESTIONS: usize = 3;

/// The candidates within a distance that grows with the length of the name: nearest first, then in
/// alphabetical order.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted: Vec<char> = name.chars().collect();
    let limit = (wanted.len().div_ceil(3)).clamp(1, 3);
    let mut near: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        // One letter is no likeness of another, but for its case.
        .filter(|candidate| {
            wanted.len() > 1
                || candidate.chars().count() > 1
                || candidate.to_lowercase() == name.to_lowercase()
        })
        .filter_map(|candidate| {
            let distance = distance_within(&wanted, candidate, limit)?;
            (distance < wanted.len().max(2)).then_some((distance, candidate))
        })
        .collect();
    near.sort_unstable();
    near.dedup();
    if let Some(&(best, _)) = near.first() {
        near.retain(|&(distance, _)| distance == best);
    }
    near.truncate(SUGGESTIONS);
    near.into_iter().map(|(_, candidate)| candidate).collect()
}

/// `did you mean …?`, or nothing if there is nothing near.
#[must_use]
pub fn did_you_mean(names: &[&str]) -> Option<String> {
    match names {
        [] => None,
        [one] => Some(format!("did you mean `{one}`?")),
        [front @ .., last] => {
            let front: Vec<String> = front.iter().map(|name| format!("`{name}`")).collect();
            Some(format!("did you mean {} or `{last}`?", front.join(", ")))
        }
    }
}

/// The distance, if it is no more than the limit; letters that differ only in case cost nothing
/// extra beyond one step for the whole word.
fn distance_within(wanted: &[char], candidate: &str, limit: usize) -> Option<usize> {
    let given: Vec<char> = candidate.chars().collect();
    if wanted.len().abs_diff(given.len()) > limit {
        return None;
    }
    if wanted.len() == given.len()
        && wanted
            .iter()
            .zip(&given)
            .all(|(a, b)| a.to_lowercase().eq(b.to_lowercase()))
    {
        return Some(1);
    }
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=given.len()).collect();
    for (i, &a) in wanted.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &b) in given.iter().enumerate() {
            let mut best = (last[j] + usize::from(a != b))
                .min(last[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && a == given[j - 1] && wanted[i - 1] == b {
                best = best.min(before_last[j - 1] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    let distance = last[given.len()];
    (distance <= limit).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_names_come_first_and_alone() {
        let names = ["Forks", "Fork", "Philosopher", "fork"];
        assert_eq!(nearest("Frok", names), ["Fork"]);
        assert_eq!(nearest("FORKS", names), ["Forks"]);
        assert_eq!(nearest("Knife", names), Vec::<&str>::new());
        assert_eq!(nearest("x", ["y", "X", "xy"]), ["X", "xy"]);
    }

    #[test]
    fn suggestions_read_as_a_question() {
        assert_eq!(did_you_mean(&[]), None);
        assert_eq!(did_you_mean(&["a"]).as_deref(), Some("did you mean `a`?"));
        assert_eq!(
            did_you_mean(&["a", "b", "c"]).as_deref(),
            Some("did you mean `a`, `b` or `c`?")
        );
    }
}
