//! The codes of this crate with their explanations, for `csp explain`.

/// Code, title, and a paragraph with an example.
pub const CODES: &[(&str, &str, &str)] = &[
    (
        "E0101",
        "A character without meaning",
        "Outside comments and strings a script has only the characters of the language. Editors and web pages like to \
         replace quotes, hyphens and arrows by typographic ones: `a → STOP` must be `a -> STOP`. A quote that does not \
         enclose exactly one character, as in `'ab'`, is reported here too; write a string: `\"ab\"`.",
    ),
    (
        "E0102",
        "A block comment that is never closed",
        "Block comments nest, so `{- {- -}` is still open at the end. The place shown is where the comment begins. \
         Mind sets that begin with a negative number: `{-1}` opens a comment, `{ -1}` does not.",
    ),
    (
        "E0103",
        "A string that does not end on its line",
        "A string begins and ends on one line: `\"two\\nlines\"` contains a line end, written `\\n`.",
    ),
    (
        "E0104",
        "An integer that is too large",
        "Integers are 64-bit: the largest literal is 9223372036854775807.",
    ),
    (
        "E0105",
        "A rich text file",
        "The file begins with `{\\rtf`, so a word processor wrote it. Save the script as plain text.",
    ),
    (
        "E0106",
        "A map without a space",
        "A map literal opens with `(|` and a space: `(| 0 => 1 |)`. Without the space, `(|||` and `(|~|` could not be \
         told from a bracket and an operator.",
    ),
    (
        "E0107",
        "An unknown property or option",
        "Between `:[` and `]` stands one of `deadlock free`, `divergence free` (or `livelock free`), `deterministic`, `has \
         trace`, each with an optional model such as `[FD]`, or an option: `tau priority over`, `partial order reduce` with \
         an optional `[fast]`, `[precise]` or `[hybrid]`. Example: `assert P :[deadlock free [F]]`.",
    ),
    (
        "E0108",
        "A property that is not closed",
        "A property ends with `]` or `]:` on the line where it begins: `assert P :[deterministic]`.",
    ),
    (
        "E0109",
        "A file of 4 GiB or more",
        "Places in files are counted in 32 bits. Split the script and use `include`.",
    ),
    (
        "E0110",
        "Something unexpected",
        "The text cannot be read as CSPm from this place on. The message says what could have come. Frequent reasons: `=` \
         where `==` was meant; a line that begins with `-`, `<`, `(`, `{` or `#`, which begins a new declaration instead of \
         continuing the line before; `>` inside `<…>`, which closes the sequence (`<x | x <- s, (x > 2)>` needs the \
         brackets); `&&` and `||` for `and` and `or`; an `if` without `else`; a call without brackets, `f x` for `f(x)`.",
    ),
    (
        "E0111",
        "A bracket that is never closed",
        "The declaration ends before the bracket is closed. Inside brackets, too, a line may end only where the expression \
         clearly goes on: after an operator, a comma or an opening bracket, or before one that cannot begin a \
         declaration. In `x = (f` followed by `(1))` on the next line, the first line is a declaration of its own.",
    ),
    (
        "E0112",
        "A let without within",
        "Local definitions stand between `let` and `within`, and the value follows: `let x = 1 within x + 1`.",
    ),
    (
        "E0113",
        "Parallel operators in a row",
        "`P [|A|] Q [|B|] R` could mean two things, so it means neither: write `(P [|A|] Q) [|B|] R` or \
         `P [|A|] (Q [|B|] R)`. The same holds for `[A||B]`, `[|A|>` and `[a <-> b]`, mixed or not.",
    ),
    (
        "E0114",
        "Comparisons in a row",
        "`a < b < c` compares a boolean with `c`, which is never meant: write `a < b and b < c`. To compare the results of \
         comparisons, use brackets: `(a == b) == c`.",
    ),
    (
        "E0115",
        "Not a pattern",
        "On the left of `=`, `<-` and `:`, after `?` and `$`, and after `\\` stand patterns: names, `_`, literals, tuples, \
         sequences `<x, y>`, concatenations `<x>^xs`, dots `C.x`, the sets `{}` and `{x}`, and `p @@ q`. There are no \
         patterns such as `n + 1`: write `f(n) = … n - 1 …`.",
    ),
    (
        "E0116",
        "A wildcard as a value",
        "`_` matches anything in a pattern and has no value: `f(_) = 1` is fine, `x = _ + 1` is not.",
    ),
    (
        "E0117",
        "A double pattern in the wrong place",
        "`p @@ q` is a pattern that matches both `p` and `q`. It is no operator on values, and it is not allowed after `?` \
         or `$` in a prefix: bind a name there and take it apart in the process that follows.",
    ),
    (
        "E0118",
        "A field without a prefix",
        "`?`, `!` and `$` belong to a prefix, which ends in `->` and a process: `c?x!y -> P`. An event as a value is \
         written with dots: `c.x.y`. As `!` is no negation, write `not b`.",
    ),
    (
        "E0119",
        "A colon in the wrong place",
        "`x : S` draws `x` from a set in comprehensions and replicated operators, `c?x:S -> P` restricts an input, \
         `channel c : S` gives the fields of a channel. Elsewhere a colon means nothing; a type is given by \
         an annotation of its own, `x :: Int`, with spaces.",
    ),
    (
        "E0120",
        "A declaration in the wrong place",
        "In `let` stand functions, constants, annotations, `external`, `transparent` and timed sections of these. \
         Assertions and prints do not stand in modules, nor prints in timed sections. Move the declaration to the top \
         level.",
    ),
    (
        "E0121",
        "A function without a plain name",
        "What is defined as a function is a name with arguments: `f(x)(y) = x + y`. Names of other modules (`M::f(x) = 1`) \
         and names in brackets cannot be defined.",
    ),
    (
        "E0122",
        "The argument of a property",
        "`has trace` is followed by a sequence of events, `tau priority over` by a set; the other properties take nothing: \
         `assert P :[has trace]: <a, b>`.",
    ),
    (
        "E0123",
        "Claims and options of an assertion",
        "An assertion claims one thing, a refinement or a property, and may add each option once: \
         `assert P [F= Q :[tau priority over]: {tock}`.",
    ),
    (
        "E0124",
        "An empty tuple as a type",
        "There is no empty tuple. `()` is the list of arguments of a function without any: `f :: () -> Int`.",
    ),
    (
        "E0125",
        "The parts of a module",
        "A module has the form `module M(x)`, private declarations, `exports`, public declarations, `endmodule`, with a new \
         line after the header. `exports` must be there even if nothing is private; the brackets are left out if there are \
         no parameters.",
    ),
    (
        "E0126",
        "Nested too deeply",
        "A declaration may nest 50,000 operators and brackets (a chain of so many, `[]` or `+`, nests as much), 5,000 dots, \
         lambdas, replicated operators and `let`s, a pattern 200, modules and timed sections 64. Longer chains that a \
         program has written are better expressed by a replicated operator, `; x : <a, b, c> @ x -> SKIP`, or a \
         recursive function over a sequence.",
    ),
    (
        "E0127",
        "An include directive without a file",
        "Write `include \"file.csp\"`, with quotes, on a line of its own.",
    ),
    (
        "E0128",
        "An included file that cannot be read",
        "Paths in `include` are taken from the folder of the script that is checked, not of the file that includes.",
    ),
    (
        "E0129",
        "A circle of includes",
        "The file is being read already, so including it again would never end. Put what both files need into a third.",
    ),
    (
        "E0130",
        "Too many includes",
        "Includes may nest 64 deep, and 4096 are followed in all. Files that include others twice multiply quickly, and \
         the definitions would be there twice anyway.",
    ),
    (
        "E0131",
        "Many mistakes",
        "The first 200 mistakes of a file are shown. Usually the first one explains many of the others.",
    ),
    (
        "E0132",
        "A comment of another language",
        "`//` and `/* */` do not begin comments in CSPm. A comment begins with `--` and ends with its line, or stands \
         between `{-` and `-}`, which nest.",
    ),
    (
        "W0101",
        "A pragma without an assertion",
        "A comment line that begins with `--@`, such as `--@ expect: pass`, speaks about the assertion directly below it. \
         Above anything else it has no effect.",
    ),
];

#[cfg(test)]
mod tests {
    use super::CODES;

    #[test]
    fn every_message_has_an_entry_and_the_other_way_round() {
        let messages = include_str!("messages.rs");
        for (code, _, _) in CODES {
            assert!(messages.contains(&format!("\"{code}\"")), "{code} is used");
        }
        let used = messages.split('"').filter(|part| {
            part.len() == 5
                && part.starts_with(['E', 'W'])
                && part[1..].bytes().all(|b| b.is_ascii_digit())
        });
        for code in used {
            assert!(
                CODES.iter().any(|entry| entry.0 == code),
                "{code} is explained"
            );
        }
    }
}
