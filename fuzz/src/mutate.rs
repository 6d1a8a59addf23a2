//! Changes to scripts that exist, tokens in any order, and noise.

use crate::random::Random;

/// Words that can stand anywhere.
const WORDS: &[&str] = &[
    "and",
    "or",
    "not",
    "true",
    "false",
    "if",
    "then",
    "else",
    "let",
    "within",
    "channel",
    "datatype",
    "subtype",
    "nametype",
    "external",
    "transparent",
    "assert",
    "module",
    "exports",
    "endmodule",
    "instance",
    "Timed",
    "include",
    "print",
    "(",
    ")",
    "(| ",
    "|)",
    "{",
    "}",
    "{|",
    "|}",
    "[",
    "]",
    "[[",
    "]]",
    "[|",
    "|]",
    "|>",
    "[+",
    "+]",
    "/+",
    "+\\",
    "<",
    ">",
    "<=",
    ">=",
    "==",
    "!=",
    "=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "#",
    "^",
    ".",
    "..",
    ",",
    "|",
    ":",
    "::",
    " :: ",
    "@",
    "@@",
    "->",
    "<-",
    "<->",
    "=>",
    "=>*",
    "?",
    "!",
    "$",
    "&",
    ";",
    "[]",
    "|~|",
    "|||",
    "||",
    "[>",
    "/\\",
    "\\",
    "|\\",
    "[T=",
    "[F=",
    "[FD=",
    "[V=",
    ":[deadlock free]",
    ":[has trace]:",
    ":[tau priority]:",
    ":[",
    "\n",
    "\r\n",
    "\n",
    "\n",
    "_",
    "0",
    "1",
    "2",
    "9223372036854775807",
    "99999999999999999999",
    "'a'",
    "'\\n'",
    "\"s\"",
    "\"",
    "'",
    "<>",
    "{}",
    "--",
    "{-",
    "-}",
    "--@ expect: pass",
    "x",
    "y",
    "P",
    "Q",
    "f",
    "c",
    "d",
    "A",
    "B",
    "M",
    "M::x",
    "tock",
    "STOP",
    "SKIP",
    "DIV",
    "RUN",
    "CHAOS",
    "WAIT",
    "Int",
    "Bool",
    "Char",
    "Proc",
    "Events",
    "Set",
    "Seq",
    "Map",
    "union",
    "inter",
    "diff",
    "Union",
    "Inter",
    "member",
    "card",
    "empty",
    "set",
    "seq",
    "head",
    "tail",
    "null",
    "length",
    "concat",
    "elem",
    "mapLookup",
    "mapUpdate",
    "emptyMap",
    "extensions",
    "productions",
    "error",
    "show",
    "normal",
    "chase",
    "prioritise",
    "BUFFER",
    "x'",
    "f(x)",
    "c?x",
    "c!1",
    "c.0",
    "x <- S",
    "P = STOP",
    "channel c",
    "x :: Int",
];

/// A script of the corpus, or some lines of it, after a few changes.
pub fn mutated(random: &mut Random, corpus: &[String]) -> String {
    let whole = random.one(corpus);
    let mut text = if random.once_in(5) && whole.len() < 4_000 {
        whole.clone()
    } else {
        some_lines(random, whole, 12)
    };
    if random.once_in(4) {
        let other = random.one(corpus);
        text += &some_lines(random, other, 6);
    }
    for _ in 0..=random.below(4) {
        text = change(random, &text);
    }
    text
}

/// Some lines on end.
fn some_lines(random: &mut Random, text: &str, most: usize) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let from = random.below(lines.len().max(1));
    let count = 1 + random.below(most);
    lines.iter().skip(from).take(count).copied().collect()
}

fn change(random: &mut Random, text: &str) -> String {
    let mut pieces = pieces(text);
    let word = *random.one(WORDS);
    if pieces.is_empty() {
        return word.to_owned();
    }
    let at = random.below(pieces.len());
    let other = random.below(pieces.len());
    match random.below(12) {
        0..3 => pieces[at] = word,
        3..5 => pieces.insert(at, word),
        5 => {
            pieces.remove(at);
        }
        6 => pieces.swap(at, other),
        7 => pieces[at] = pieces[other],
        8 => pieces.truncate(at),
        9 => {
            pieces.drain(at..(at + random.below(8)).min(pieces.len()));
        }
        10 => {
            let end = (at + 1 + random.below(10)).min(pieces.len());
            let part: Vec<&str> = pieces[at..end].to_vec();
            for _ in 0..1 + random.below(20) {
                pieces.splice(at..at, part.iter().copied());
            }
        }
        _ => {
            let mut characters: Vec<char> = text.chars().collect();
            let place = random.below(characters.len());
            characters[place] = character(random);
            return characters.into_iter().collect();
        }
    }
    pieces.concat()
}

/// Names, numbers, single signs and gaps, roughly.
fn pieces(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '\'' => 1,
        '\n' => 2,
        c if c.is_whitespace() => 3,
        '(' | ')' | '{' | '}' | '"' | ',' => 4,
        _ => 5,
    };
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, c) in text.char_indices() {
        let now = class(c);
        if before.is_some_and(|before| before != now || now == 4) {
            pieces.push(&text[start..at]);
            start = at;
        }
        before = Some(now);
    }
    if start < text.len() {
        pieces.push(&text[start..]);
    }
    pieces
}

/// Words in any order.
pub fn soup(random: &mut Random) -> String {
    let mut text = String::new();
    if random.once_in(2) {
        text += "x = ";
    }
    for _ in 0..random.below(30) {
        text += *random.one(WORDS);
        if !random.once_in(6) {
            text.push(' ');
        }
    }
    text
}

/// Characters in any order.
pub fn noise(random: &mut Random) -> String {
    (0..random.below(60)).map(|_| character(random)).collect()
}

fn character(random: &mut Random) -> char {
    match random.below(8) {
        0 => char::from(u8::try_from(random.below(256)).expect("a byte")),
        1 => *random.one(&[
            'é', '→', '\u{0}', '\u{feff}', '\u{2028}', '😀', '\r', '\n', '\t',
        ]),
        _ => char::from(u8::try_from(32 + random.below(95)).expect("a byte")),
    }
}
