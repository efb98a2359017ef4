//! The rules a game can be played by: names only, what they mean is in [`crate::rule`].

use std::fmt;

/// Who wins with what, and what is forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Five or more in a row win.
    Freestyle,
    /// Exactly five in a row win; six or more are nothing.
    Standard,
    /// Black wins with exactly five and loses by overline, double four or double three;
    /// White wins with five or more.
    Renju,
    /// A five with opposing stones at both its ends does not win; six or more always win.
    Caro,
    /// Exactly five win, unless opposing stones stand at both ends.
    CaroExact,
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 5] =
        [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroExact];

    /// Position in [`Rule::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Lower-case name, as in data files.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Freestyle => "freestyle",
            Rule::Standard => "standard",
            Rule::Renju => "renju",
            Rule::Caro => "caro",
            Rule::CaroExact => "caro9",
        }
    }

    /// The rule with this name, see [`Rule::name`].
    pub fn from_name(name: &str) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.name() == name)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for rule in Rule::ALL {
            assert_eq!(Rule::from_name(rule.name()), Some(rule));
            assert_eq!(Rule::ALL[rule.index()], rule);
        }
        assert_eq!(Rule::from_name("chess"), None);
    }
}
