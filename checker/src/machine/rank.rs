//! Numbers for states that waste no bits: local states are the digits of a number in mixed radix.
//!
//! Packed fields are partly unused where the number of local states is not a power of two; the states
//! of a product are numbered below the product of those numbers. A rank is the sum of what each bit of
//! a packed state adds, so it is looked up byte by byte. The digits are found again by division, those
//! of several small components at once.

use super::layout::{Field, Layout};

/// The most values of components whose digits are found at once; several tables should stay in the
/// first-level cache.
const MOST_TOGETHER: u64 = 1 << 9;

/// Ranks of packed states.
#[derive(Debug)]
pub(crate) struct Ranking {
    bits: u32,
    /// For each byte of a state that is in use its word and shift, and what its values add.
    bytes: Vec<(u32, u32, [u64; 256])>,
    /// The digits of each word, from the lowest up.
    words: Vec<Vec<Part>>,
}

/// Digits whose number is below 2^32.
#[derive(Debug)]
struct Part {
    size: u64,
    groups: Vec<Group>,
}

/// Neighbouring components.
#[derive(Debug)]
struct Group {
    size: u64,
    /// 2^64 divided by the size, rounded up.
    inverse: u64,
    shift: u32,
    /// The bits of each value in the packed word; empty if there is one component only.
    table: Vec<u64>,
}

impl Ranking {
    /// Ranks states by the numbers of their local states; `None` if there are more than 2^64.
    pub(crate) fn new(layout: &Layout, counts: &[usize]) -> Option<Self> {
        let counts = counts.iter().map(|count| *count as u64);
        let nodes = (layout.node, layout.node.mask + 1);
        let digits: Vec<(Field, u64)> = (layout.components.iter().copied().zip(counts))
            .chain([nodes])
            .filter(|(field, _)| field.mask != 0)
            .collect();
        let mut bytes: Vec<(u32, u32, [u64; 256])> = Vec::new();
        let mut product = 1u64;
        for (field, count) in &digits {
            for bit in 0..field.bits() {
                let at = field.shift + bit;
                let weight = product.wrapping_mul(1 << bit);
                let (word, shift) = (field.word, at / 8 * 8);
                let known = bytes.iter().position(|b| (b.0, b.1) == (word, shift));
                let known = known.unwrap_or_else(|| {
                    bytes.push((word, shift, [0; 256]));
                    bytes.len() - 1
                });
                for (value, adds) in bytes[known].2.iter_mut().enumerate() {
                    if value >> (at % 8) & 1 == 1 {
                        *adds = adds.wrapping_add(weight);
                    }
                }
            }
            product = product.checked_mul(*count)?;
        }
        Some(Self {
            bits: 64 - (product - 1).leading_zeros(),
            bytes,
            words: (digits.chunk_by(|a, b| a.0.word == b.0.word))
                .map(parts)
                .collect(),
        })
    }

    /// How many bits a rank has.
    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    /// The rank of a state.
    #[inline(always)]
    pub(crate) fn rank<const N: usize>(&self, state: &[u64; N]) -> u64 {
        let adds = self.bytes.iter().map(|(word, shift, adds)| {
            let word = state[*word as usize & (N - 1)];
            adds[(word >> shift) as usize & 255]
        });
        adds.fold(0, u64::wrapping_add)
    }

    /// The state of a rank.
    #[inline(always)]
    pub(crate) fn state<const N: usize>(&self, mut rank: u64) -> [u64; N] {
        let mut state = [0; N];
        for (word, parts) in state.iter_mut().zip(&self.words) {
            let mut bits = 0;
            for part in parts {
                let mut rest = rank % part.size;
                rank /= part.size;
                for group in &part.groups {
                    // Exact, because what is divided is below 2^32.
                    let quotient = ((u128::from(group.inverse) * u128::from(rest)) >> 64) as u64;
                    let value = rest - quotient * group.size;
                    rest = quotient;
                    bits |= match &group.table[..] {
                        [] => value << group.shift,
                        table => table[value as usize],
                    };
                }
            }
            *word = bits;
        }
        state
    }
}

/// Cuts the digits of a word, given as fields and how many values they have.
fn parts(digits: &[(Field, u64)]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut rest = digits;
    while !rest.is_empty() {
        let mut size = 1;
        let together = rest.iter().take_while(|(_, count)| {
            size *= count;
            size <= MOST_TOGETHER
        });
        let (members, others) = rest.split_at(together.count().max(1));
        rest = others;
        let group = group(members);
        match parts.last_mut() {
            Some(part) if part.size * group.size <= 1 << 32 => {
                part.size *= group.size;
                part.groups.push(group);
            }
            _ => parts.push(Part {
                size: group.size,
                groups: vec![group],
            }),
        }
    }
    parts
}

fn group(members: &[(Field, u64)]) -> Group {
    let size = members.iter().map(|(_, count)| count).product();
    let bits = |value: u64| {
        let mut rest = value;
        members.iter().fold(0, |bits, (field, count)| {
            let digit = rest % count;
            rest /= count;
            bits | digit << field.shift
        })
    };
    Group {
        size,
        inverse: u64::MAX / size + 1,
        shift: members[0].0.shift,
        table: match members {
            [_] => Vec::new(),
            _ => (0..size).map(bits).collect(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some states of components with this many states each come back from their ranks.
    fn round_trip<const N: usize>(counts: &[usize], nodes: u64, bits: u32) {
        let sizes: Vec<u64> = counts.iter().map(|count| *count as u64).collect();
        let layout = Layout::new(&sizes, nodes, 1).expect("fits");
        assert_eq!(layout.words, N);
        let ranking = Ranking::new(&layout, counts).expect("fits");
        assert_eq!(ranking.bits(), bits);
        let mut seed = 1u64;
        let mut below = |count: u64| {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            u32::try_from((seed >> 32) % count).expect("small")
        };
        for round in 0..1000 {
            let mut state = [0; N];
            let fields = layout.components.iter().chain([&layout.node]);
            for (field, count) in fields.zip(sizes.iter().chain([&nodes])) {
                let last = u32::try_from(*count - 1).expect("small");
                let value = match round {
                    0 => 0,
                    1 => last,
                    _ => below(*count),
                };
                field.set(&mut state, value);
            }
            let rank = ranking.rank(&state);
            assert!(bits == 64 || rank >> bits == 0);
            assert_eq!(ranking.state::<N>(rank), state);
        }
    }

    #[test]
    fn ranks_are_exact() {
        round_trip::<1>(&[3], 1, 2);
        round_trip::<1>(&[5, 1, 6, 9, 3, 17, 33, 2, 5], 2, 24);
        round_trip::<2>(&[130, 130, 129, 132, 3, 130, 129, 132, 3, 130], 1, 60);
        round_trip::<2>(&[5, 70_000, 1 << 20, 3, (1 << 20) + 1], 4, 63);
        round_trip::<2>(&[u32::MAX as usize, 65537, 65_000], 1, 64);
    }

    #[test]
    fn too_many_are_not_ranked() {
        let layout = Layout::new(&[3; 41], 1, 1).expect("fits");
        assert!(Ranking::new(&layout, &[3; 41]).is_none());
    }
}
