//! Options on what is reported, shared by the subcommands that count games.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use manager::output;

use crate::output::progress::Reporting;
use crate::output::{json, plot, table};
use crate::record::GameRecord;
use crate::sprt::{Model, Sprt};
use crate::tally::Tally;

/// What is counted and how it is shown.
#[derive(Clone, Debug, Args)]
pub(super) struct ReportArguments {
    /// Test whether the first engine is stronger by E1 Elo rather than E0; a run stops by it
    #[arg(long, value_name = "E0,E1", value_parser = parse_bounds, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,
    /// What --sprt means by Elo
    #[arg(long, value_enum, default_value_t = Model::Logistic)]
    sprt_model: Model,
    /// How often --sprt may accept E1 wrongly
    #[arg(long, default_value_t = 0.05, value_parser = parse_rate)]
    alpha: f64,
    /// How often --sprt may accept E0 wrongly
    #[arg(long, default_value_t = 0.05, value_parser = parse_rate)]
    beta: f64,
    /// The known rating of an engine, which the others are measured against; may be repeated
    #[arg(long = "anchor", value_name = "NAME=ELO", value_parser = parse_anchor)]
    anchors: Vec<(String, f64)>,
    /// Draw the running Elo with its interval as an SVG picture
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Print JSON lines instead of a table
    #[arg(long)]
    json: bool,
}

impl ReportArguments {
    /// The test that is meant, if one is.
    pub(super) fn sprt(&self) -> Option<Sprt> {
        let (alpha, beta, model) = (self.alpha, self.beta, self.sprt_model);
        self.sprt.map(|(elo0, elo1)| Sprt { elo0, elo1, alpha, beta, model })
    }

    /// The same with the engines' names resolved.
    pub(super) fn reporting(&self, names: &[String], every: u64) -> Result<Reporting> {
        let mut anchors = Vec::new();
        for (name, elo) in &self.anchors {
            let Some(number) = names.iter().position(|other| other == name) else {
                bail!("--anchor {name}: the engines are {}", names.join(", "));
            };
            anchors.push((number, *elo));
        }
        Ok(Reporting { json: self.json, every, sprt: self.sprt(), anchors })
    }

    /// Prints the final counts and draws the plot.
    pub(super) fn print(
        &self,
        tally: &Tally,
        games: &[GameRecord],
        reporting: &Reporting,
        total: usize,
    ) -> Result<()> {
        let sprt = reporting.sprt.as_ref();
        if reporting.json {
            let line = json::line("result", tally, total, sprt, &reporting.anchors);
            output::print(&format!("{line}\n"))?;
        } else {
            output::print(&table::table(tally, sprt, &reporting.anchors))?;
        }
        if let Some(path) = &self.plot {
            let written = plot::write(path, tally, games);
            written.with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

fn parse_bounds(text: &str) -> Result<(f64, f64), String> {
    let bounds = text.split_once(',').and_then(|(zero, one)| {
        let number = |text: &str| text.trim().parse().ok().filter(|elo: &f64| elo.is_finite());
        Some((number(zero)?, number(one)?))
    });
    bounds
        .filter(|(zero, one)| zero < one)
        .ok_or_else(|| format!("'{text}' is not like 0,10, the smaller first"))
}

fn parse_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| *rate > 0.0 && *rate < 0.5);
    rate.ok_or_else(|| format!("'{text}' is not between 0 and 0.5"))
}

fn parse_anchor(text: &str) -> Result<(String, f64), String> {
    let anchor = text.rsplit_once('=').and_then(|(name, elo)| {
        let elo: f64 = elo.parse().ok().filter(|elo: &f64| elo.is_finite())?;
        Some((name.to_string(), elo))
    });
    anchor.ok_or_else(|| format!("'{text}' is not like old=1500"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_checked() {
        assert_eq!(parse_bounds("-5,0.5"), Ok((-5.0, 0.5)));
        for bad in ["5", "5,5", "5,1", "a,b", "0,inf", "0,nan"] {
            assert!(parse_bounds(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_rate("0.05"), Ok(0.05));
        assert!(parse_rate("0").is_err() && parse_rate("0.5").is_err());
        assert_eq!(parse_anchor("a=b=1500"), Ok(("a=b".to_string(), 1500.0)));
        assert!(parse_anchor("a").is_err() && parse_anchor("a=x").is_err());
    }
}
