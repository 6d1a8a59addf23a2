//! The codes of this phase: what each means, with an example, for `csp explain` and the manual.

macro_rules! codes {
    ($($constant:ident = $code:literal, $title:literal, $explanation:literal;)*) => {
        $(pub(super) const $constant: &str = $code;)*

        /// Code, title, and a paragraph with an example, in the order of the codes.
        pub const CODES: &[(&str, &str, &str)] = &[$(($code, $title, $explanation)),*];
    };
}

codes! {
    UNKNOWN_NAME = "E0201", "unknown name",
        "A name is used that nothing in scope defines: `P = a -> Q` without a `Q`. Names are \
         case-sensitive. Definitions of a module are written `M::x` outside it.";
    DUPLICATE = "E0202", "defined more than once",
        "One scope defines a name twice, as in `N = 3` and later `N = 4`, or `channel a` and \
         `datatype T = a | b`. Constants, functions, channels, constructors, types and modules share \
         one set of names. Included files belong to the scope of their `include`.";
    CLAUSES_APART = "E0203", "clauses that do not stand together",
        "The clauses of a function must follow one another with nothing between: in `f(0) = 1`, \
         `N = 3`, `f(n) = n` the two clauses of `f` are apart.";
    CLAUSES_IN_TWO_FILES = "E0204", "clauses in different files",
        "The clauses of a function must stand in one file: `f(0) = 1` in one and `f(n) = n` in a \
         file it includes are not one function.";
    CLAUSE_ARITY = "E0205", "clauses that take different arguments",
        "All clauses of a function take the same number of arguments in each bracket: `f(0) = 1` \
         and `f(x, y) = 2` do not fit together.";
    REPEATED_VARIABLE = "E0206", "variable bound twice",
        "A variable may occur once in the patterns of one clause, one list of generators or one \
         prefix: `f(x, x) = x`, `{ x | x <- S, x <- T }` and `c?x?x -> P` bind `x` twice. Use two \
         names and compare them.";
    ANNOTATION_ALONE = "E0207", "annotation without a definition",
        "`f :: (Int) -> Int` must stand in the same scope as a definition of `f`.";
    SECOND_ANNOTATION = "E0208", "two annotations for one name",
        "A name has at most one annotation: `f :: (Int) -> Int` may not be followed by another \
         `f :: …` in the same scope.";
    UNKNOWN_CONSTRAINT = "E0209", "unknown constraint",
        "The constraints of a type are Eq, Ord, Set, Complete and Yieldable: `f :: Num a => (a) -> a` \
         has none of these.";
    NOT_A_TYPE = "E0210", "not a type",
        "A type annotation names something that is not a type: a nametype or subtype denotes a set. \
         With `nametype Small = {0..3}` write `f :: (Int) -> Int`, not `f :: (Small) -> Int`.";
    UNKNOWN_IMPORT = "E0211", "unknown import",
        "`transparent` and `external` import built-in functions; this is not one. Some were called \
         otherwise in older tools: `normalise` is `normal`, `sbsim` is `sbisim`.";
    WRONG_IMPORT = "E0212", "wrong import",
        "Functions that keep the meaning of a process are imported with `transparent` (`normal`, \
         `sbisim`, `diamond`), those that may change it with `external` (`prioritise`, `deter`). \
         What is always in scope, such as `union`, is not imported.";
    NOT_IMPORTED = "E0213", "used but not imported",
        "Compressions and some other built-in functions must be imported before use: \
         `transparent normal`, then `Q = normal(P)`.";
    PRIVATE = "E0214", "private name",
        "Outside a module only what stands below its `exports` can be used: with `module M`, \
         `x = 1`, `exports`, `y = 2`, `endmodule` there is `M::y` but no `M::x`.";
    MODULE_AS_VALUE = "E0215", "module used as a value",
        "A module or instance is a place for names and has no value of its own: write `M::x`.";
    NOT_A_MODULE = "E0216", "not a module",
        "What stands before `::`, or after `=` in an instance, must be a module: with `N = 3`, \
         neither `N::x` nor `instance A = N` mean anything.";
    NEEDS_INSTANCE = "E0217", "module with parameters used directly",
        "A module with parameters has definitions only in its instances: with `module M(n)` write \
         `instance A = M(3)` and `A::x`.";
    INSTANCE_ARITY = "E0218", "wrong number of arguments for a module",
        "An instance gives as many arguments as the module has parameters: with `module M(n)`, \
         `instance A = M` and `instance A = M(1, 2)` are wrong.";
    MODULE_IN_ITSELF = "E0219", "module that uses an instance of itself",
        "An instance is a copy of its module. A module that holds an instance of itself, directly or \
         through instances of others, would have no end: `module M(n)` with `instance A = M(n + 1)` \
         inside.";
    TOO_MANY_INSTANCES = "E0220", "too many instances",
        "Instances inside modules multiply: if each of thirty modules holds two instances of the \
         next, the first holds a thousand million definitions.";
    NOT_IN_MODULE = "E0221", "not allowed in a module",
        "`assert` and `print` stand at the top level of a script only: move `assert P [T= Q` below \
         `endmodule` and write `assert M::P [T= M::Q`.";
    PRINT_IN_TIMED = "E0222", "print in a Timed section",
        "`print` stands at the top level of a script only, not inside `Timed { … }`.";
    TWO_VARIABLE_PARTS = "E0223", "pattern with two parts of unknown length",
        "In a pattern joined by `^` one part at most may be of unknown length: `<x>^xs^<y>` has one, \
         `xs^ys` has two and could match in many ways.";
    LARGE_SET_PATTERN = "E0224", "set pattern with several elements",
        "The set patterns are `{}` and `{p}`: in `f({x, y}) = x` nothing says which element is `x`.";
    NOT_A_CONSTRUCTOR = "E0225", "qualified name that is not a constructor",
        "A variable of a pattern has a plain name, so `f(M::x) = 1` needs a constructor or channel \
         `M::x`.";
    LATE_CHOICE = "E0226", "nondeterministic field after others",
        "The fields `$x` of a prefix come first: `c$x?y -> P`, not `c?y$x -> P`.";
    TOCK = "E0227", "no usable tock",
        "A Timed section measures time with the event `tock`, which the script must declare, without \
         data, where the section can see it: `channel tock`.";
    NOT_IN_TIMED = "E0228", "not allowed in a Timed section",
        "Linked parallel `P [a <-> b] Q` and nondeterministic fields `c$x -> P` have no timed \
         meaning.";
    ONLY_TIMED = "E0229", "only allowed in a Timed section",
        "`WAIT` and `timed_priority` exist inside `Timed { … }` only.";
    NOT_IN_SUBTYPE = "E0230", "subtype clause that is not a constructor",
        "A subtype picks constructors of a datatype: with `datatype T = A | B`, `subtype S = A` is \
         right, `subtype S = T` is not.";
    MIXED_SUBTYPE = "E0231", "subtype of two datatypes",
        "All clauses of a subtype belong to the same datatype: with `datatype T = A` and \
         `datatype U = B`, `subtype S = A | B` is wrong.";
    QUALIFIED_DEFINITION = "E0232", "qualified name defined",
        "A definition has a plain name and belongs to the module it stands in: \
         `datatype T = M::A` cannot add to `M`.";
    UNKNOWN_DEFINE = "E0233", "unknown constant to replace",
        "`--define NAME=EXPR` replaces a constant that the script defines at its top level, such as \
         `N = 3`; there is none of this name.";
    DEFINE_OF_OTHER = "E0234", "not a constant",
        "`--define NAME=EXPR` replaces constants, not functions, channels, types, or names bound by \
         a larger pattern such as `(a, b) = e`.";
    NOT_A_TYPE_VARIABLE = "E0235", "not a variable of the annotated type",
        "A constraint is about a type variable that the type mentions: neither `Set Event => Int` nor \
         `Set b => (a) -> a` means anything. The left side of `=>*` is a type variable, too: \
         `f :: (a =>* Event) -> Event`.";
}

#[cfg(test)]
mod tests {
    use super::CODES;

    #[test]
    fn codes_ascend_without_gaps() {
        for (place, (code, _, _)) in CODES.iter().enumerate() {
            assert_eq!(*code, format!("E02{:02}", place + 1));
        }
    }
}
