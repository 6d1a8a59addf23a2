//! The codes of warnings about what is probably not meant so, with their explanations for `csp explain`.

pub(super) const UNUSED_CHANNEL: &str = "W0801";
pub(super) const CONSTANT_INPUT: &str = "W0802";
pub(super) const REPEATED_ASSERTION: &str = "W0803";
pub(super) const FALSE_GUARD: &str = "W0804";
pub(super) const EMPTY_CHOICE: &str = "W0805";
pub(super) const NEVER_SYNCHRONISED: &str = "W0806";
pub(super) const NEVER_HIDDEN: &str = "W0807";
pub(super) const LEFT_OUT: &str = "W0808";
pub(super) const ALLOWS_EVERYTHING: &str = "W0809";
pub(super) const DOES_NOTHING: &str = "W0810";

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
    (
        NEVER_SYNCHRONISED,
        "Synchronising on what one side never does",
        "In `(a -> P) [|{|a, b|}|] (a -> b -> Q)`, where `P` never does `b`, the right side waits for it for ever. Found by \
         `csp lint`, which compares the events of the two sides channel by channel; it says nothing where one side does \
         nothing at all (that is how events are blocked on purpose), where the set is `Events`, or where it cannot know.",
    ),
    (
        NEVER_HIDDEN,
        "Hiding what cannot happen",
        "`P \\ X` is `P` if `P` can do no event of `X`. Often the channel is another one, or was hidden before. Found by `csp lint`.",
    ),
    (
        LEFT_OUT,
        "An alphabet that leaves out an event",
        "In `P [A || B] Q` the process `P` can only do events of `A`: whatever else it could do is blocked. Found by `csp lint` \
         where `P` has no parallel parts of its own.",
    ),
    (
        ALLOWS_EVERYTHING,
        "A specification that allows everything",
        "The specification is `RUN` or `CHAOS`, or written like them, over every event that the implementation can do: the \
         assertion holds whatever the implementation is like. Found by `csp lint`.",
    ),
    (
        DOES_NOTHING,
        "An implementation that does nothing",
        "The implementation can do no visible event, so that every specification is satisfied in the traces model. Often \
         too much is hidden. Found by `csp lint`.",
    ),
];
