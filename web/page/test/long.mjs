// A script whose counterexample has this many steps and parts: a token goes round, and each round is counted.
export const long = (parts, steps) => `-- A ring of ${parts} cells; the token may be handed on ${steps} times.
N = ${parts}
LAST = ${steps}
channel hand : {0..N-1}
Cell(i) = hand.i -> hand.(i+1)%N -> Cell(i)
First = hand.1 -> hand.0 -> First
Alphabet(i) = {hand.i, hand.(i+1)%N}
Ring = || i : {0..N-1} @ [Alphabet(i)] (if i == 0 then First else Cell(i))
Limit(n) = if n == 0 then STOP else hand?i -> Limit(n-1)
System = Ring [| {| hand |} |] Limit(LAST)
assert System :[deadlock free [F]]
`;
