//! One suite over the command: scripts, exit codes, formats. Libraries have their own tests.

mod cli {
    mod bad_input;
    mod best;
    mod boards;
    mod bots;
    mod bounds;
    mod convenience;
    mod evidence;
    mod explaining;
    mod formats;
    mod games;
    mod limits;
    mod lint;
    mod live;
    mod mistakes;
    mod models;
    mod outputs;
    mod play;
    mod readers;
    mod readme;
    mod reductions;
    mod referee;
    mod run;
    mod scripts;
    mod snapshots;
    mod solve;
    mod surroundings;
    mod survey;
    mod tall;
}
