fn main() {
    csp_driver::on_deep_stack(|| {
        let args: Vec<String> = std::env::args().collect();
        let (from, to): (u64, u64) = (args[2].parse().unwrap(), args[3].parse().unwrap());
        let most: u64 = args[4].parse().unwrap();
        let mut defs: Vec<String> = args[5..].to_vec();
        let (mut solved, mut total) = (0, 0.0);
        for deal in from..=to {
            let mut d = defs.clone();
            d.push(format!("DEAL={deal}"));
            let t = std::time::Instant::now();
            let mut script = csp_driver::Script::load(&args[1], &d).unwrap();
            let settings = csp_driver::CheckSettings {
                threads: 1,
                max_states: None,
                timeout: None,
                memory: None,
                counterexamples: 1,
                textbook_termination: false,
                leaf_compression: csp_driver::LeafCompression::Sbisim,
                select: vec![],
            };
            let network = script.proto(0, &settings, &csp_checker::options::NoObserver);
            let compiled = t.elapsed().as_secs_f64();
            let t = std::time::Instant::now();
            let options = csp_checker::Options {
                max_states: Some(most),
                ..Default::default()
            };
            let sought = csp_checker::directed::seek(
                &network,
                &|e| e.is_visible(),
                &options,
                &csp_checker::options::NoObserver,
            );
            let secs = t.elapsed().as_secs_f64();
            total += secs;
            if sought.play.is_some() {
                solved += 1;
            }
            println!(
                "{deal} {} states {} evals {} plys {} {:.3}s compile {compiled:.3}s",
                if sought.play.is_some() {
                    "solved"
                } else if sought.limit.is_some() {
                    "limit"
                } else {
                    "unsolvable"
                },
                sought.statistics.states,
                sought.statistics.transitions,
                sought.statistics.plys,
                secs
            );
        }
        println!("solved {solved} total {total:.2}s");
        let _ = &mut defs;
    });
}
