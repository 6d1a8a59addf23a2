//! All diagnostic codes with their explanations, gathered from the phases that own them.

/// A diagnostic code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// `E0123`.
    pub code: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// A paragraph with an example.
    pub explanation: &'static str,
}

/// Every code, ascending.
#[must_use]
pub fn codes() -> Vec<Code> {
    const CHECKING: &[(&str, &str, &str)] = &[
        (
            "E0601",
            "property and model do not go together",
            "Deadlock freedom, divergence freedom and determinism cannot be seen in traces, so \
             `assert P :[deadlock free [T]]` has no meaning. Write `[F]` or `[FD]`, or leave the model out.",
        ),
        (
            "W0602",
            "compression does not preserve the model",
            "Compressions preserve some models and not others: `diamond`, for example, keeps traces, \
             failures and divergences, but not revivals. In `assert S [V= diamond(P)` it could change \
             the verdict, so `wbisim`, which preserves every model, is used in its place.",
        ),
        (
            "E0603",
            "play rejected by the referee",
            "An assertion below `--@ game: freecell` is about a game with a referee: every play that is \
             found for it is replayed by the rules of the game before it is shown. Here the referee \
             did not accept the start or a move, so the model allows what the game does not.",
        ),
        (
            "W0604",
            "a pragma that says nothing",
            "Comments that begin with `--@` on the lines above an assertion say what to expect of it \
             (`--@ expect: pass`), how to word its outcome (`--@ fail: \"a way out\"`) or which game it \
             plays. A line that is none of these has no effect.",
        ),
        (
            "W0605",
            "compression inside what looks at single steps",
            "`prioritise` and `chase` look at single steps, not at what a process means in a model, and \
             so does an assertion with `:[tau priority over]:`. \
             `normal`, `diamond` and their like keep the meaning and change the steps, so \
             `prioritise(normal(P), <{a}, {b}>)` could differ from `prioritise(P, <{a}, {b}>)`. \
             `wbisim`, which respects both, is used in their place. Compress outside: \
             `normal(prioritise(P, <{a}, {b}>))`.",
        ),
        (
            "W0606",
            "compression that would be too large",
            "A normal form can have exponentially more states than its argument: `normal(P)` has a state \
             for every set of states that P can be in after some trace. Beyond a size it is not worth \
             having, and `wbisim`, which never has more states than its argument, is used in its place.",
        ),
        (
            "E0607",
            "the process cannot be checked",
            "Either `chase` was applied to a process that can do τ for ever, so that there is no state \
             in which it ends: with `L = a -> L`, `chase(L \\ {a})` has no meaning. Or the compiled \
             process is beyond what the engine can number. The message says which, and names the process.",
        ),
        (
            "W0608",
            "a check without a memory limit",
            "A check ends undecided before it takes more memory than it may. If nobody says how much that \
             is, it is what the machine has free. Some systems do not tell; then nothing keeps the check \
             from taking all memory. Set a limit: `csp check FILE --memory 4G`.",
        ),
        (
            "E0608",
            "the check broke off",
            "The program met a state of its own that it holds to be impossible. Nothing is known of this \
             assertion; the others are checked all the same. Please report it with the script and the \
             message.",
        ),
        (
            "E0609",
            "counterexample not confirmed",
            "Every counterexample is replayed, step by step, on the network as it is compiled from the \
             script, before any reduction or compression of leaves. Here that was not possible, so \
             nothing is said about the assertion. The fault is in the checker, not in the script.",
        ),
        (
            "E0610",
            "reduction where it is not known to be sound",
            "`--por` leaves out orders of independent steps. That this changes no verdict is proved for \
             freedom from deadlock and divergence and for refinement in T, F and FD, of processes without \
             `prioritise` and `chase`. `--symmetry` stores one of all states that are alike; that is proved \
             for the same properties, and for V and VD; both together where each is. `ARCHITECTURE.md` has \
             the conditions. Anywhere else the assertion is not decided: check it without the option.",
        ),
        (
            "E0611",
            "a declared symmetry that does not hold",
            "`--@ symmetric: Client` above an assertion says that the values of `Client` can be exchanged in the \
             specification and in the process, and makes the check store one of all states that are then alike. \
             It is not believed: for any two neighbouring values, an exchange of the components and of their \
             states is looked for that goes with the exchange of events and changes no rule. If there is none, \
             nothing is decided, and the message names what has no counterpart: a rule, a component, or the \
             specification. A field of a channel or constructor belongs to the type if it is declared by its \
             name: `channel c : Client`, not `channel c : {0..3}`.",
        ),
    ];
    let tables = [
        csp_grammar::codes::CODES,
        csp_compiler::resolve::CODES,
        csp_compiler::infer::CODES,
        csp_compiler::evaluate::CODES,
        csp_compiler::assemble::CODES,
        csp_compiler::lint::codes::CODES,
        CHECKING,
        csp_rules::codes::CODES,
    ];
    let mut codes: Vec<Code> = tables
        .into_iter()
        .flatten()
        .map(|&(code, title, explanation)| Code {
            code,
            title,
            explanation,
        })
        .collect();
    codes.sort_by_key(|c| c.code);
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_code_is_used_twice() {
        let all = codes();
        assert!(all.len() > 50);
        assert!(all.windows(2).all(|w| w[0].code < w[1].code));
        assert!(
            all.iter()
                .all(|c| !c.title.is_empty() && !c.explanation.is_empty())
        );
    }
}
