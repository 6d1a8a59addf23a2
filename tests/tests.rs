//! One suite over the command: scripts, exit codes, formats. Libraries have their own tests.

mod cli {
    mod bad_input;
    mod evidence;
    mod formats;
    mod lint;
    mod mistakes;
    mod limits;
    mod models;
    mod outputs;
    mod readme;
    mod referee;
    mod run;
    mod scripts;
    mod snapshots;
    mod solve;
    mod surroundings;
    mod survey;
    mod tall;
}
