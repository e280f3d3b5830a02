//! From pairs that agree to groups of records of one person, and why. Knows neither files nor truth.

use super::block::candidates;
use super::field::{Agreement, FieldKind, Schema, Value};
use super::model::{Comparison, Model, Pair, compare_records, count_values};
use crate::resolve::distance::share;
use std::fmt;

/// How records are linked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkOptions {
    /// Two records are of one person if that is at least so likely.
    pub accept: f64,
    /// Two groups are joined only if their records, each with each, are of one person with at least this likelihood on average of
    /// their weights: what a chain of look-alikes would join, its ends keep apart.
    pub guard: f64,
    /// Whether a given name or a date of birth that differs outright keeps two records apart where no id and no address of electronic
    /// mail agrees: twins, and a father and a son of one name. Without it, both have to differ, or one where the other is missing.
    pub strict: bool,
}

impl Default for LinkOptions {
    /// More likely than not, for pairs and for groups; not strict, since a record may hold a wrong name or date.
    fn default() -> Self {
        Self { accept: 0.5, guard: 0.5, strict: false }
    }
}

/// What linking found.
#[derive(Clone, Debug, PartialEq)]
pub struct Linkage {
    /// Every record once, with those of the same person: places in ascending order, groups by their first.
    pub clusters: Vec<Vec<usize>>,
    /// Why groups were joined, one for each joining, the surest first.
    pub evidence: Vec<RecordEvidence>,
    /// The weights that were estimated.
    pub model: Model,
}

/// Why two records are held to be of one person.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordEvidence {
    /// The place of the one record, the smaller.
    pub left: usize,
    /// The place of the other.
    pub right: usize,
    /// The fields where neither is missing, in the order of the schema.
    pub fields: Vec<FieldEvidence>,
    /// How likely they are of one person, from 0 to 1.
    pub probability: f64,
}

/// What one field says of two records.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldEvidence {
    /// The field.
    pub name: String,
    /// How well the values agree.
    pub agreement: Agreement,
    /// Whether the value was compared with that of the field it is often swapped with.
    pub swapped: bool,
    /// What that weighs, in bits: for one person if above zero, against it if below.
    pub weight: f64,
}

/// "records 0 and 1: surname exact +6.1, postcode close +3.0, state different −0.9; probability 0.998".
impl fmt::Display for RecordEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "records {} and {}: ", self.left, self.right)?;
        for (index, FieldEvidence { name, agreement, swapped, weight }) in self.fields.iter().enumerate() {
            let (comma, swapped) = (if index == 0 { "" } else { ", " }, if *swapped { "swapped, " } else { "" });
            write!(f, "{comma}{name} {swapped}{agreement} {weight:+.1}")?;
        }
        write!(f, "; probability {:.3}", self.probability)
    }
}

/// Groups rows by whom they describe; a row holds its values by the columns of the schema, those missing are empty.
///
/// The same rows give the same groups. Groups grow from the surest pair to the least sure one; those equally sure, in the order of
/// the rows. People under one roof stay apart: records of which neither given name nor date of birth nor an id agrees, and one of the
/// first two differs, are never joined, nor are the groups they are in.
///
/// # Complexity
/// O(n) keys and candidate pairs (see the bound per key), O(pairs log pairs) for the order; memory for the candidate pairs.
pub fn link<R, S>(schema: &Schema, rows: &[R], options: &LinkOptions) -> Linkage
where
    R: AsRef<[S]>,
    S: AsRef<str>,
{
    let read = |row: &R| -> Vec<Value> {
        let value = |column: usize| row.as_ref().get(column).map_or("", AsRef::as_ref);
        schema.fields().iter().map(|field| Value::read(field.kind, value(field.column))).collect()
    };
    let mut rows: Vec<Vec<Value>> = rows.iter().map(read).collect();
    count_values(schema, &mut rows);
    let pair = |left: usize, right: usize| -> Option<Pair> {
        Some(Pair { left, right, comparison: compare_records(schema, rows.get(left)?, rows.get(right)?) })
    };
    let pairs: Vec<Pair> = candidates(schema, &rows).into_iter().filter_map(|(left, right)| pair(left, right)).collect();
    let model = Model::estimate(schema, &rows, &pairs);

    let mut sure: Vec<(f64, &Pair)> = pairs.iter().map(|pair| (model.weight(&rows, pair), pair)).collect();
    sure.retain(|(weight, pair)| {
        model.probability(*weight) >= options.accept && !is_contradicted(schema, &pair.comparison, options.strict)
    });
    sure.sort_by(|(a, one), (b, two)| b.total_cmp(a).then((one.left, one.right).cmp(&(two.left, two.right))));

    let mut groups = Groups::of(rows.len());
    let mut evidence = Vec::new();
    for (weight, joining) in sure {
        let (one, two) = (groups.of_record(joining.left), groups.of_record(joining.right));
        if one == two {
            continue;
        }
        let across = groups.records(one).iter().flat_map(|left| groups.records(two).iter().map(move |right| (*left, *right)));
        let across: Vec<Pair> = across.filter_map(|(left, right)| pair(left.min(right), left.max(right))).collect();
        let total: f64 = across.iter().map(|pair| model.weight(&rows, pair)).sum();
        let is_likely = model.probability(total / share(across.len(), 1)) >= options.guard;
        if !is_likely || across.iter().any(|pair| is_contradicted(schema, &pair.comparison, options.strict)) {
            continue;
        }
        groups.join(one, two);
        evidence.push(RecordEvidence {
            left: joining.left,
            right: joining.right,
            fields: fields(schema, &model, &rows, joining),
            probability: model.probability(weight),
        });
    }
    Linkage { clusters: groups.into_sorted(), evidence, model }
}

/// Whether two records are of different people whatever else they share. A family shares its name, its address and its telephone; no
/// sum of weights makes one person of it.
fn is_contradicted(schema: &Schema, comparison: &Comparison, strict: bool) -> bool {
    let of = |kinds: &[FieldKind], holds: fn(Agreement) -> bool| {
        let mut fields = schema.fields().iter().zip(&comparison.agreements);
        fields.any(|(field, agreement)| kinds.contains(&field.kind) && holds(*agreement))
    };
    let differs = |agreement| agreement == Agreement::Different;
    let agrees = |agreement| agreement >= Agreement::Partial;
    let (told, given_to) = ([FieldKind::Given, FieldKind::Birth], [FieldKind::Id, FieldKind::Email]);
    of(&told, differs) && !of(&given_to, agrees) && (strict || !of(&told, agrees))
}

/// What each field says of a pair.
fn fields(schema: &Schema, model: &Model, rows: &[Vec<Value>], pair: &Pair) -> Vec<FieldEvidence> {
    let Comparison { agreements, crossed } = &pair.comparison;
    let fields = schema.fields().iter().zip(agreements.iter().zip(crossed)).enumerate();
    let known = fields.filter(|(_, (_, (agreement, _)))| **agreement != Agreement::Missing);
    let evidence = known.map(|(at, (field, (agreement, swapped)))| FieldEvidence {
        name: field.name.clone(),
        agreement: *agreement,
        swapped: *swapped,
        weight: model.weight_of(rows, pair, at),
    });
    evidence.collect()
}

/// Records in groups: each begins alone.
struct Groups {
    /// The group of each record.
    of: Vec<usize>,
    /// The records of each group; those of a joined one are empty.
    records: Vec<Vec<usize>>,
}

impl Groups {
    fn of(count: usize) -> Self {
        Self { of: (0..count).collect(), records: (0..count).map(|record| vec![record]).collect() }
    }

    fn of_record(&self, record: usize) -> usize {
        self.of.get(record).copied().unwrap_or(record)
    }

    fn records(&self, group: usize) -> &[usize] {
        self.records.get(group).map_or(&[], Vec::as_slice)
    }

    /// Moves the records of one group to the other; the larger one stays.
    fn join(&mut self, one: usize, two: usize) {
        let (into, from) = if self.records(one).len() >= self.records(two).len() { (one, two) } else { (two, one) };
        let moved = self.records.get_mut(from).map(std::mem::take).unwrap_or_default();
        for record in &moved {
            if let Some(group) = self.of.get_mut(*record) {
                *group = into;
            }
        }
        if let Some(records) = self.records.get_mut(into) {
            records.extend(moved);
        }
    }

    fn into_sorted(self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = self.records.into_iter().filter(|records| !records.is_empty()).collect();
        for group in &mut groups {
            group.sort_unstable();
        }
        groups.sort_unstable();
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: [&str; 6] = ["given name", "surname", "date of birth", "postcode", "address", "phone"];

    fn given(at: usize) -> &'static str {
        ["ada", "bruno", "celia", "dirk", "edda", "falk", "greta", "hugo", "ines", "jonas", "kaja", "lars"][at % 12]
    }

    fn family(at: usize) -> String {
        let (start, end) =
            (["bel", "cor", "dal", "fen", "gar", "hol", "kel", "lor"][at % 8], ["berg", "ford", "land", "mann", "son"][at / 8 % 5]);
        format!("{start}{end}")
    }

    /// A person that no two numbers share.
    fn person(at: usize) -> Vec<String> {
        vec![
            given(at * 5 + at / 12).to_owned(),
            family(at * 3 + at / 40),
            format!("{}-{:02}-{:02}", 1940 + at * 7 % 60, 1 + at * 5 % 12, 1 + at * 11 % 28),
            (2000 + at * 37 % 900).to_string(),
            format!("{} {} street", at % 70 + 1, family(at * 7)),
            format!("555{:05}", at * 7919 % 100_000),
        ]
    }

    /// The same person as somebody else wrote it down.
    fn again(at: usize) -> Vec<String> {
        let mut row = person(at);
        match at % 5 {
            0 => row.swap(0, 1),
            1 => row[1].insert(2, 'e'),
            2 => row[2].clear(),
            3 => {
                row[0] = row[0].chars().take(1).collect();
                row[3].clear();
            }
            _ => {
                row[4] = "unknown".to_owned();
                row[2] = row[2].replace("-1", "-2");
            }
        }
        row
    }

    fn clusters(rows: &[Vec<String>]) -> Vec<Vec<usize>> {
        link(&Schema::from_header(&HEADER), rows, &LinkOptions::default()).clusters
    }

    #[test]
    fn those_written_down_twice_are_found_and_no_others() {
        let mut rows: Vec<Vec<String>> = (0..60).map(person).collect();
        rows.extend((0..30).map(again));
        let expect: Vec<Vec<usize>> = (0..60).map(|at| if at < 30 { vec![at, 60 + at] } else { vec![at] }).collect();
        assert_eq!(clusters(&rows), expect);
    }

    #[test]
    fn the_order_of_the_rows_does_not_matter() {
        let mut rows: Vec<Vec<String>> = (0..60).map(person).collect();
        rows.extend((0..30).map(again));
        let of_rows = |rows: &[Vec<String>]| {
            let mut groups: Vec<Vec<Vec<String>>> =
                clusters(rows).into_iter().map(|group| group.into_iter().map(|at| rows[at].clone()).collect()).collect();
            for group in &mut groups {
                group.sort();
            }
            groups.sort();
            groups
        };
        let forward = of_rows(&rows);
        rows.reverse();
        assert_eq!(of_rows(&rows), forward);
    }

    #[test]
    fn a_family_under_one_roof_is_several_people() {
        let mut rows: Vec<Vec<String>> = (0..40).map(person).collect();
        rows.extend((0..20).map(again));
        let home = rows.len();
        for (given, birth) in [("Marta", "1971-02-14"), ("Otto", "1969-11-30"), ("Finn", "2001-06-08"), ("Lea", "2004-09-21")] {
            rows.push(["", "Sandvik", "", "3141", "9 Harbour Row", "55500999"].map(str::to_owned).to_vec());
            let last = rows.len() - 1;
            (rows[last][0], rows[last][2]) = (given.to_owned(), birth.to_owned());
        }
        let alone: Vec<Vec<usize>> = clusters(&rows).into_iter().filter(|group| group.iter().any(|at| *at >= home)).collect();
        assert_eq!(alone, (home..home + 4).map(|at| vec![at]).collect::<Vec<_>>());
        // A father and his son of the same name, and a record that leaves open which of them it is of.
        let mut rows = rows.split_off(home);
        let mut other = rows[1].clone();
        other[2].clear();
        let mut son = rows[1].clone();
        son[2] = "1996-04-02".to_owned();
        rows.extend([other, son]);
        rows.extend((0..40).map(person));
        let strict = LinkOptions { strict: true, ..LinkOptions::default() };
        let groups = link(&Schema::from_header(&HEADER), &rows, &strict).clusters;
        assert!(!groups.iter().any(|group| group.contains(&1) && group.contains(&5)), "no chain joins them: {groups:?}");
    }

    #[test]
    fn nothing_to_compare_links_nothing() {
        assert_eq!(clusters(&[]), Vec::<Vec<usize>>::new());
        assert_eq!(clusters(&[vec![], vec![String::new(); 6], person(1)]), [[0], [1], [2]]);
        let blind = link(&Schema::from_header(&["colour"]), &[["red"], ["red"]], &LinkOptions::default());
        assert_eq!(blind.clusters, [[0], [1]], "no field is known");
    }

    #[test]
    fn evidence_names_the_fields_and_what_they_weigh() {
        let mut rows: Vec<Vec<String>> = (0..60).map(person).collect();
        rows.extend((0..30).map(again));
        let linkage = link(&Schema::from_header(&HEADER), &rows, &LinkOptions::default());
        let swapped = linkage.evidence.iter().find(|evidence| evidence.left == 5).expect("the fifth is found");
        let text = swapped.to_string();
        assert!(text.starts_with("records 5 and 65: given name swapped, exact +"), "{text}");
        assert!(text.contains("phone exact +") && text.contains("; probability 1.000"), "{text}");
    }
}
