//! What belongs to a name though a mark or an "and" stands inside: titles of nobles, tasks of offices, seats of schools.
//!
//! Owns those words. Knows no pattern.

use super::pack::Grammar;
use super::scene::Scene;

/// Nouns of places where people are taught.
const SCHOOLS: [&str; 6] = ["university", "college", "institute", "academy", "faculty", "school"];

/// Offices and institutions that are named by their tasks.
const OFFICES: [&str; 29] = [
    "ministry",
    "minister",
    "secretary",
    "department",
    "commissioner",
    "committee",
    "council",
    "institute",
    "school",
    "academy",
    "bureau",
    "agency",
    "commission",
    "board",
    "office",
    "directorate",
    "secretariat",
    "faculty",
    "undersecretary",
    "ministers",
    "society",
    "chamber",
    "centre",
    "center",
    "union",
    "association",
    "federation",
    "confederation",
    "guild",
];

/// Titles of nobles, which are borne behind a name.
const NOBLE: [&str; 24] = [
    "duke",
    "duchess",
    "earl",
    "count",
    "countess",
    "prince",
    "princess",
    "baron",
    "baroness",
    "viscount",
    "viscountess",
    "marquess",
    "marquis",
    "marchioness",
    "margrave",
    "landgrave",
    "king",
    "queen",
    "emperor",
    "empress",
    "lord",
    "lady",
    "archduke",
    "baronet",
];

/// "Ministry of Trade, Ports and Roads": what follows the noun and "of" are its tasks, and all of it is one name.
pub(super) fn enumerates_tasks(name: &str) -> bool {
    let words: Vec<String> = name.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let led = words.windows(2).position(|pair| {
        pair.iter()
            .zip([true, false])
            .all(|(word, noun)| if noun { OFFICES.contains(&word.as_str()) } else { matches!(word.as_str(), "of" | "for") })
    });
    led.is_some_and(|at| {
        words.iter().skip(at + 2).any(|word| word == "and") && words.iter().skip(at + 1).all(|word| !OFFICES.contains(&word.as_str()))
    })
}

/// "Marl and Brod Railway": one noun of an organisation stands behind both, so that, of one stretch of time, they are one name.
pub(super) fn is_joint(grammar: &Grammar, name: &str) -> bool {
    let Some((before, behind)) = name.split_once(" and ") else { return false };
    let is_organisation = |text: &str| {
        let noun = text.rsplit(' ').next().unwrap_or_default().to_lowercase();
        ["org_noun", "school", "sort_noun"].iter().any(|class| grammar.has_class(&noun, class))
    };
    behind.contains(' ') && !behind.contains(" and ") && !before.contains(',') && is_organisation(behind) && !is_organisation(before)
}

/// Whether what follows a comma is the rest of a name: the title of a noble ("Ada Marr, 2nd Countess of Brod"), the letters of a
/// district ("Sund, N.B."), the seat of a school of many ("University of Ostland, Brod"). `is_part` says which words names have inside.
pub(super) fn bears(scene: &Scene<'_, '_>, from: usize, comma: usize, to: usize, is_part: impl Fn(usize) -> bool) -> bool {
    let first = comma + 1;
    if enumerates_tasks(scene.slice(from, to)) && (first..to).all(|at| is_part(at) || scene.line.lower(at) == ",") {
        return true;
    }
    if first >= to || !(first..to).all(is_part) {
        return false;
    }
    let numbered = usize::from(scene.line.lower(first).starts_with(|c: char| c.is_ascii_digit()));
    let letters = scene.slice(first, to).trim_end_matches('.');
    let is_district = letters.contains('.') && letters.split('.').all(|one| one.chars().count() == 1);
    // "University of Ostland, Brod", "Academy of Arts, Brod", "Old Hall, University of Brod": the seat, or what it belongs to.
    let teaches = |from: usize, to: usize| (from..to).any(|at| SCHOOLS.contains(&scene.line.lower(at)));
    let named = scene.grammar.has_class(&scene.line.phrase(first, to), "known_place");
    let is_seat = teaches(from, comma) && (first + 1 == to && !named || teaches(first, to))
        || teaches(first, to) && scene.line.lower(first + 1) == "of";
    NOBLE.contains(&scene.line.lower(first + numbered)) || is_district || is_seat
}

#[cfg(test)]
mod tests {
    use crate::extract::{Context, Extractor, Rules};
    use crate::model::{Authority, ObservationKind, Source};
    use crate::observe::Incoming;
    use crate::time::ZonedInstant;

    fn tails(text: &str) -> Vec<String> {
        let said = ZonedInstant::parse("2024-05-01T09:00:00Z").unwrap();
        let source = Source { authority: Authority::Document, name: None };
        let incoming = Incoming::from_text(ObservationKind::Document, said, source, text);
        let extraction = Rules::default().extract(&incoming, &Context::default());
        extraction.claims.iter().map(|claim| claim.tail.to_string()).collect()
    }

    #[test]
    fn a_name_keeps_what_it_bears() {
        assert_eq!(tails("Una Falk is married to Ada Marr, 2nd Countess of Brod."), ["Ada Marr, 2nd Countess of Brod"]);
        assert_eq!(tails("Una Falk died in the city of Sund, N.B."), ["Sund, N.B"]);
        assert_eq!(
            tails("Una Falk worked for Ministry of Ports, Roads and Canals from 2001 to 2004."),
            ["Ministry of Ports, Roads and Canals"]
        );
        assert_eq!(tails("Una Falk worked for Marl and Brod Railway from 2001 to 2004."), ["Marl and Brod Railway"]);
        assert_eq!(tails("Una Falk plays for Brod Rovers 1912 from Jan, 2001 to Mar, 2004."), ["Brod Rovers 1912"]);
    }

    #[test]
    fn what_stands_beside_a_name_is_none_of_it() {
        assert!(tails("Una Falk is married to Ada Marr, a painter.").contains(&"Ada Marr".to_owned()), "what she does is told apart");
        assert_eq!(tails("Una Falk was born in Brod, Ostland."), ["Brod"]);
    }
}
