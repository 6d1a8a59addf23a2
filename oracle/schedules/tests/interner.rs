//! The interner under every schedule of two threads.

use csp_schedules::agree;

const ANY: u64 = u64::MAX;

#[test]
fn the_same_value_gets_one_number() {
    agree(&[7], &[7], ANY, 8);
}

#[test]
fn different_values_get_different_numbers() {
    agree(&[7], &[8], ANY, 8);
}

#[test]
fn values_in_opposite_order() {
    agree(&[7, 8], &[8, 7], ANY, 8);
}

#[test]
fn all_hashes_collide() {
    agree(&[7, 8], &[8], 0, 8);
}

/// Two slots hold no value at all, four hold fewer than are asked for: some thread is told.
#[test]
fn the_table_fills() {
    agree(&[7], &[7], ANY, 2);
    agree(&[7, 8], &[9], ANY, 4);
}
