//! The codes of this phase: what each means, with an example, for `csp explain` and the manual.

macro_rules! codes {
    ($($constant:ident = $code:literal, $title:literal, $explanation:literal;)*) => {
        $(pub(super) const $constant: &str = $code;)*

        /// Code, title, and a paragraph with an example, in the order of the codes.
        pub const CODES: &[(&str, &str, &str)] = &[$(($code, $title, $explanation)),*];
    };
}

codes! {
    MISMATCH = "E0301", "types that do not agree",
        "An expression has another type than its place needs: `1 + true` needs an Int where a Bool \
         stands, and `if b then 0 else STOP` gives an Int or a process. Note that `.` binds looser \
         than `==`: `a.b == c` is `a.(b == c)`, so write `(a.b) == c`.";
    ARGUMENTS = "E0302", "wrong number of arguments",
        "A function is called with more or fewer arguments than it takes, as in `f(1, 2)` for \
         `f(x) = x`. A function of two brackets is called with two: `g(1)(2)`.";
    NOT_A_FUNCTION = "E0303", "call of something that is not a function",
        "Brackets after an expression call it, but its type is not that of a function: `N = 3` \
         cannot be used as `N(1)`.";
    CONSTRAINT = "E0304", "a type that cannot do what is asked of it",
        "Processes and functions cannot be compared with `==`, and only integers, characters and \
         what is made of them, sets and sequences have an order: `STOP == STOP` and `true < false` \
         are errors. Functions cannot be elements of sets.";
    INFINITE = "E0305", "infinite type",
        "A type would have to contain itself: in `f(x) = f` the result of `f` would be `f` again, \
         and in `xs ^ <xs>` a sequence would be its own element.";
    TOO_MANY_FIELDS = "E0306", "too many fields",
        "A channel or constructor is given more fields than it is declared with: `c?x?y -> P` for \
         `channel c : {0..3}`.";
    FIELD = "E0307", "field of another type",
        "A field of a channel or constructor has another type than declared: `c!true -> P` for \
         `channel c : {0..3}`. Note that `.` binds looser than `==`: `a.b == c` is `a.(b == c)`.";
    INCOMPLETE = "E0308", "fields are missing",
        "A complete event or value is needed, but a channel or constructor still lacks fields: \
         `c -> P` for `channel c : {0..3}`. Write `c?x -> P`, or `{| c |}` for the set of its events.";
    RIGID = "E0309", "annotation too general",
        "An annotation promises more than the definition keeps: `f :: (a) -> a` may be called with \
         any type, so `f(x) = x + 1`, which needs integers, breaks the promise.";
    DRAWN_FROM = "E0310", "sequence drawn from where a set is needed",
        "Replicated operators draw from sets, apart from `;` and linked parallel, which draw from \
         sequences; set comprehensions draw from sets and sequence comprehensions from sequences. \
         Turn one into the other with `set(s)` or `seq(S)`: `||| i : set(<1,2>) @ P(i)`.";
    AMBIGUOUS = "E0311", "fields of unknown type",
        "The type of a field must be known: `channel c : {}` does not say what `c` carries. Annotate \
         the channel: `c :: Int=>Event`.";
    FIELD_SET = "E0312", "fields that cannot be communicated",
        "Fields of channels must be complete and can be compared; those of datatypes must be \
         complete. `channel c : Proc`, and `{B}` as a field where `B` lacks fields, are errors.";
    SUBTYPE = "E0313", "not a part of the datatype",
        "The clauses of a subtype name constructors of one datatype, each with at most its fields, of \
         the same types: `subtype U = A.Bool` for `datatype T = A.Int` is an error.";
    SPLIT = "E0314", "pattern splits a value of unknown constructor",
        "A pattern `x.y` takes apart dotted values such as `1.2`, but not an event or a value of a \
         datatype, because what its first part is depends on the constructor: write the constructor \
         or channel, as in `c.x`.";
    TOO_LARGE = "E0315", "type too large",
        "The type of a definition has thousands of parts, because it copies the type of another \
         several times over and over: `p1(x) = (p0(x), p0(x))`, `p2(x) = (p1(x), p1(x))` and so on. \
         Annotate one of them with a type without variables.";
}

#[cfg(test)]
mod tests {
    use super::CODES;

    #[test]
    fn codes_ascend_without_gaps() {
        for (place, (code, _, _)) in CODES.iter().enumerate() {
            assert_eq!(*code, format!("E03{:02}", place + 1));
        }
    }
}
