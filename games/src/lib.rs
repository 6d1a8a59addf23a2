//! Deals, numbering, notation and rules of patience games; knows no CSP.
