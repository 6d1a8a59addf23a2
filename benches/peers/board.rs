//! Peg solitaire for other tools: the same board in their languages.

use std::fmt::Write;

/// A board by its rows: `o` is a peg, `.` an empty hole, anything else is not a hole.
pub(crate) struct Board {
    pub(crate) rows: Vec<&'static str>,
}

impl Board {
    /// Five by five, the centre empty.
    pub(crate) fn small() -> Self {
        let rows = vec!["ooooo", "ooooo", "oo.oo", "ooooo", "ooooo"];
        Self { rows }
    }

    /// The rows as a sequence of strings in CSPm.
    pub(crate) fn script(&self, replace: impl Fn(char) -> char) -> String {
        let row = |row: &&str| format!("\"{}\"", row.chars().map(&replace).collect::<String>());
        let rows: Vec<String> = self.rows.iter().map(row).collect();
        format!("<{}>", rows.join(","))
    }

    /// The cells that are holes, numbered, with whether there is a peg.
    fn holes(&self) -> Vec<((i32, i32), bool)> {
        let rows = (0..).zip(&self.rows);
        let cells = rows.flat_map(|(y, row)| (0..).zip(row.chars()).map(move |(x, c)| ((x, y), c)));
        let holes = cells.filter(|(_, c)| matches!(c, 'o' | '.'));
        holes.map(|(at, c)| (at, c == 'o')).collect()
    }

    /// From, over and to of every jump.
    fn jumps(&self) -> Vec<[usize; 3]> {
        let holes = self.holes();
        let number = |cell: (i32, i32)| holes.iter().position(|(at, _)| *at == cell);
        let mut jumps = Vec::new();
        for ((x, y), _) in &holes {
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let cell = |n: i32| number((x + n * dx, y + n * dy));
                if let (Some(from), Some(over), Some(to)) = (cell(0), cell(1), cell(2)) {
                    jumps.push([from, over, to]);
                }
            }
        }
        jumps
    }

    /// In Promela, for SPIN.
    pub(crate) fn promela(&self) -> String {
        let holes = self.holes();
        let mut text = format!("bit p[{}];\n\nactive proctype game() {{\n", holes.len());
        text.push_str("  d_step {\n");
        for (number, (_, peg)) in holes.iter().enumerate() {
            writeln!(text, "    p[{number}] = {};", u8::from(*peg)).expect("text grows");
        }
        text.push_str("  }\n  do\n");
        for [a, b, c] in self.jumps() {
            writeln!(
                text,
                "  :: d_step {{ p[{a}] && p[{b}] && !p[{c}] -> p[{a}] = 0; p[{b}] = 0; p[{c}] = 1 }}"
            )
            .expect("text grows");
        }
        text.push_str("  od\n}\n");
        text
    }

    /// In Murphi, for rumur.
    pub(crate) fn murphi(&self) -> String {
        let holes = self.holes();
        let mut text = format!("var p: array [0..{}] of boolean;\n\n", holes.len() - 1);
        text.push_str("startstate begin\n");
        for (number, (_, peg)) in holes.iter().enumerate() {
            writeln!(text, "  p[{number}] := {peg};").expect("text grows");
        }
        text.push_str("end;\n");
        for [a, b, c] in self.jumps() {
            writeln!(
                text,
                "rule p[{a}] & p[{b}] & !p[{c}] ==> begin p[{a}] := false; p[{b}] := false; p[{c}] := true; end;"
            )
            .expect("text grows");
        }
        text
    }

    /// In mCRL2.
    pub(crate) fn mcrl2(&self) -> String {
        let holes = self.holes();
        let list = |item: &dyn Fn(usize) -> String| {
            let items: Vec<String> = (0..holes.len()).map(item).collect();
            items.join(", ")
        };
        let jump = |[a, b, c]: &[usize; 3]| {
            format!(
                "    (p{a} && p{b} && !p{c}) -> jump . Game(p{a} = false, p{b} = false, p{c} = true)"
            )
        };
        let jumps: Vec<String> = self.jumps().iter().map(jump).collect();
        format!(
            "act jump;\n\nproc Game({}) =\n{};\n\ninit Game({});\n",
            list(&|number| format!("p{number}: Bool")),
            jumps.join(" +\n"),
            list(&|number| holes[number].1.to_string()),
        )
    }
}
