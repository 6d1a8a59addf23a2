//! The codes of this crate with their explanations, for `csp explain`.

/// Code, title, and a paragraph with an example.
pub const CODES: &[(&str, &str, &str)] = &[
    (
        "E0701",
        "A description that cannot be read",
        "Descriptions of games are written in the part of TOML that has sections, `key = value`, texts, whole and \
         decimal numbers, `true` and `false`, lists and `{ key = value }`; rule files of Solvitaire are JSON. The \
         place shown is where the text stops being one.",
    ),
    (
        "E0702",
        "A key that means nothing",
        "Every key of a description has a meaning, so a misspelt one is refused rather than ignored: \
         `[tableau] colums = 8` does not quietly give the default. The nearest known keys are named.",
    ),
    (
        "E0703",
        "A value of the wrong kind",
        "A key takes one kind of value: `columns = \"eight\"` is a text where a whole number belongs.",
    ),
    (
        "E0704",
        "A word that the key does not know",
        "Some keys take one of a few words, such as `face = \"up\"` or `face = \"last\"`. The message lists them.",
    ),
    (
        "E0705",
        "Descriptions that extend each other in a circle",
        "A description takes over what it does not say from the one it extends. If that one, directly or by others, \
         extends the first, nothing is ever said.",
    ),
    (
        "E0706",
        "A description that is extended but not there",
        "`extends = \"freecell\"` names a bundled game or a file beside the description.",
    ),
    (
        "E0707",
        "Cards that do not add up",
        "Columns, cells, stock, reserve and what lies on foundations or in the hole at the start share one pack. A \
         deck of thirteen ranks has 52 cards: twelve columns of five would take 60.",
    ),
    (
        "E0708",
        "Rules that contradict each other",
        "One part of the description takes away what another needs: redeals without a waste to turn over, empty \
         columns that are filled from a reserve that does not exist, or no way to win at all.",
    ),
    (
        "E0709",
        "A number out of range",
        "A pack has 1 to 13 ranks and 1 to 4 decks, a game at most 60 columns and 20 cells: larger tables are no \
         patience, and no check of them would end.",
    ),
    (
        "E0710",
        "A condition that cannot be read",
        "Who may go where is said in words, `build = \"down alternating\"`, or as a condition on the card that moves \
         and its host: `next(host, card) and opposite colour`, with `and`, `or`, `not`, `if … then … else …` and \
         brackets.",
    ),
    (
        "E0711",
        "A key that is given twice",
        "The second value would replace the first, and one of them is meant.",
    ),
    (
        "E0712",
        "A rule that is known but not supported",
        "The rule file asks for something that Solvitaire's language can say and this program cannot play yet; the \
         message says what.",
    ),
    (
        "W0713",
        "A condition that decides nothing",
        "For each part of the condition of a move there should be a position in which that part alone decides \
         whether the move is allowed. Where there is none, the part can be left out, or something else is wrong: in \
         `same suit or next(host, card) or empty`, say, or below another condition that is always stronger.",
    ),
];
