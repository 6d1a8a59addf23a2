// Scripts to start from where the folder has none.

export const examples = [
  {
    title: 'Two vending machines',
    text: `-- In one machine the customer chooses, in the other the machine does.
channel coin, tea, coffee

Machine = coin -> (tea -> Machine [] coffee -> Machine)
Moody   = coin -> (tea -> Moody |~| coffee -> Moody)

--@ expect: pass
assert Machine [T= Moody
--@ expect: fail
assert Machine [F= Moody
`,
  },
  {
    title: 'Dining philosophers',
    text: `-- Everyone takes the left fork first: nobody gets a second one.
N = 3
channel takes, drops : {0..N-1}.{0..N-1}
channel eats : {0..N-1}

next(i) = (i + 1) % N
Philosopher(i) = takes.i.i -> takes.i.next(i) -> eats.i -> drops.i.next(i) -> drops.i.i -> Philosopher(i)
Fork(i) = [] p : {i, (i + N - 1) % N} @ takes.p.i -> drops.p.i -> Fork(i)

Table = (||| i : {0..N-1} @ Philosopher(i)) [| {| takes, drops |} |] (||| i : {0..N-1} @ Fork(i))

--@ expect: fail
assert Table :[deadlock free [F]]
`,
  },
  {
    title: 'A buffer of two',
    text: `-- Two copies in a row are a buffer of two places, and no smaller one.
channel left, middle, right : {0, 1}

Buffer(n, s) = #s > 0 & right!head(s) -> Buffer(n, tail(s)) [] #s < n & left?x -> Buffer(n, s ^ <x>)
Pair = (left?x -> middle!x -> First) [| {| middle |} |] Second \\ {| middle |}
First = left?x -> middle!x -> First
Second = middle?x -> right!x -> Second

--@ expect: fail
assert Buffer(1, <>) [T= Pair
--@ expect: pass
assert Buffer(2, <>) [T= Pair
`,
  },
];
