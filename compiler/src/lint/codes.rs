//! The codes of warnings about what is probably not meant so, with their explanations for `csp explain`.

pub(super) const UNUSED_CHANNEL: &str = "W0801";
pub(super) const CONSTANT_INPUT: &str = "W0802";
pub(super) const REPEATED_ASSERTION: &str = "W0803";
pub(super) const FALSE_GUARD: &str = "W0804";
pub(super) const EMPTY_CHOICE: &str = "W0805";

/// Code, title, and a paragraph with an example.
pub const CODES: &[(&str, &str, &str)] = &[
    (
        UNUSED_CHANNEL,
        "A channel that is never used",
        "No definition and no assertion mentions the channel, so no process can do its events. Often it is a slip: a \
         process uses another channel of a similar name. Channels of included files are not reported. `--@ allow: W0801` \
         above an assertion silences it.",
    ),
    (
        CONSTANT_INPUT,
        "An input that takes one value",
        "In `c?tea -> P` the pattern `tea` is the constructor or channel of that name, not a new variable: the input \
         takes this one value and binds nothing. The same holds for `c?0`. Write `c!tea` or `c.tea` if that is meant, and \
         choose another name if a variable is.",
    ),
    (
        REPEATED_ASSERTION,
        "An assertion that was made before",
        "The script claims the same thing twice, word for word. Usually a copy was meant to be changed.",
    ),
    (
        FALSE_GUARD,
        "A guard that is never true",
        "`false & P` is STOP: nothing of `P` can ever happen.",
    ),
    (
        EMPTY_CHOICE,
        "A choice without alternatives",
        "`[] x : {} @ P` is STOP, and `|~| x : {} @ P` cannot be evaluated. A range such as `{3..1}` is empty: its first \
         number is the smaller one.",
    ),
];
