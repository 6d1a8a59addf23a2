//! The known words nearest to a misspelt one, by edit distance.

/// The candidates within a distance that grows with the length of the word, nearest first.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted: Vec<char> = word.to_lowercase().chars().collect();
    let limit = wanted.len().div_ceil(3).clamp(1, 4);
    let mut near: Vec<(usize, &str)> = candidates
        .into_iter()
        .map(|c| (distance(&wanted, &c.to_lowercase()), c))
        .filter(|(d, _)| *d <= limit)
        .collect();
    near.sort_unstable();
    near.dedup();
    near.truncate(3);
    near.into_iter().map(|(_, c)| c).collect()
}

/// Insertions, deletions and replacements.
#[must_use]
pub fn distance(wanted: &[char], given: &str) -> usize {
    let given: Vec<char> = given.chars().collect();
    let mut row: Vec<usize> = (0..=given.len()).collect();
    for (i, a) in wanted.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in given.iter().enumerate() {
            let next = (diagonal + usize::from(a != b))
                .min(row[j] + 1)
                .min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], next);
        }
    }
    row[given.len()]
}

/// `did you mean …?`, or else the list of all.
#[must_use]
pub(crate) fn help(word: &str, candidates: &[&str]) -> String {
    match nearest(word, candidates.iter().copied()).as_slice() {
        [] => format!("it is one of {}", candidates.join(", ")),
        [one] => format!("did you mean `{one}`?"),
        many => format!("did you mean one of `{}`?", many.join("`, `")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        assert_eq!(nearest("colums", ["columns", "cells"]), ["columns"]);
        assert!(nearest("zebra", ["columns", "cells"]).is_empty());
        assert_eq!(distance(&['a', 'b'], "ba"), 2);
    }
}
