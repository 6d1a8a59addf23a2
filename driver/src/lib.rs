//! One run of the checker, from files to reports.
