//! What sort of thing a term evidently is, and whether a relation takes it. Knows a term's own form and what it is told; guesses nothing.

use crate::model::{Literal, RelationPolicy, Term, vocab};

/// What a term's own form shows it to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Date,
    Number,
    /// Four figures may be a year as well.
    NumberOrYear,
    Boolean,
}

/// Words that are days and never names of what relations take; a month may be somebody's name.
const DAYS: [&str; 38] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "today",
    "tomorrow",
    "yesterday",
    "tonight",
    "last week",
    "next week",
    "this week",
    "last month",
    "next month",
    "this month",
    "last year",
    "next year",
    "this year",
    "月曜日",
    "火曜日",
    "水曜日",
    "木曜日",
    "金曜日",
    "土曜日",
    "日曜日",
    "今日",
    "明日",
    "昨日",
    "今週",
    "来週",
    "先週",
    "今月",
    "来月",
    "先月",
    "去年",
    "来年",
];

fn form(term: &Term) -> Option<Form> {
    match term {
        Term::Literal(Literal { lexical, datatype: Some(datatype), .. }) => match datatype.strip_prefix(vocab::XSD)? {
            "date" | "dateTime" | "dateTimeStamp" | "time" | "gYear" | "gYearMonth" | "gMonth" | "gDay" | "gMonthDay" => Some(Form::Date),
            "integer" if is_year(lexical) => Some(Form::NumberOrYear),
            "integer" | "decimal" | "double" | "float" | "int" | "long" | "short" | "byte" | "nonNegativeInteger" | "positiveInteger" => {
                Some(Form::Number)
            }
            "boolean" => Some(Form::Boolean),
            _ => None,
        },
        Term::Name(text) | Term::Literal(Literal { lexical: text, datatype: None, .. }) => written(text),
        Term::Iri(_) | Term::Blank(_) => None,
    }
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// What a text without a type evidently is: a day by its word, a date in figures, a number.
fn written(text: &str) -> Option<Form> {
    let text = text.trim();
    if text.len() > 24 || text.is_empty() {
        return None;
    }
    if text.bytes().next().is_some_and(|byte| byte.is_ascii_digit()) {
        if is_year(text) {
            return Some(Form::NumberOrYear);
        }
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(Form::Number);
        }
        let parts: Vec<&str> = text.split('-').collect();
        let figures = parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
        let iso = figures && parts.first().is_some_and(|year| year.len() == 4) && (2..=3).contains(&parts.len());
        return iso.then_some(Form::Date);
    }
    let lower = text.to_lowercase();
    DAYS.contains(&lower.as_str()).then_some(Form::Date)
}

/// Whether a declared sort takes a sort that is known. "thing" is whatever is nobody and nowhere in particular; a text may be anything.
fn takes(declared: &str, known: &str) -> bool {
    const THINGS: [&str; 6] = ["thing", "product", "project", "work", "animal", "event"];
    declared == known
        || declared == "text"
        || (declared == "thing" && THINGS.contains(&known))
        || (known == "thing" && THINGS.contains(&declared))
        || (declared == "date" && known == "number")
}

/// Whether a word is one of the sorts that relations declare.
fn is_sort(word: &str) -> bool {
    is_being(word) || matches!(word, "thing" | "product" | "project" | "work" | "event" | "date" | "number" | "text")
}

/// Sorts that no day and no number can be.
fn is_being(sort: &str) -> bool {
    matches!(sort, "person" | "place" | "organization" | "animal" | "language")
}

/// Why a relation that declares these sorts cannot have the term: what the term is. `None` where nothing evident speaks against it; a
/// declaration of several sorts takes each of them.
pub(super) fn misfit(declared: &[String], term: &Term, known: impl FnOnce() -> Vec<String>) -> Option<String> {
    if declared.is_empty() {
        return None;
    }
    let only = |refuses: fn(&str) -> bool| declared.iter().all(|sort| refuses(sort));
    match form(term) {
        Some(Form::Date) => only(|sort| is_being(sort) || sort == "number").then(|| "a date".to_owned()),
        Some(Form::Number | Form::NumberOrYear) => only(is_being).then(|| "a number".to_owned()),
        Some(Form::Boolean) => only(|sort| is_being(sort) || matches!(sort, "number" | "date")).then(|| "a truth value".to_owned()),
        None => {
            if matches!(term, Term::Literal(_)) {
                return None;
            }
            // "Rex is a dog" tells what he is and not of which sort: a word that no relation declares speaks against none.
            let known: Vec<String> = known().into_iter().filter(|sort| is_sort(sort)).collect();
            let fits = known.is_empty() || known.iter().any(|known| declared.iter().any(|declared| takes(declared, known)));
            (!fits).then(|| known.join(" or "))
        }
    }
}

/// The sorts a relation declares of its head and of its tail, as the claim states them.
pub(super) fn declared(policy: &RelationPolicy, inverted: bool) -> (&[String], &[String]) {
    if inverted { (&policy.range, &policy.domain) } else { (&policy.domain, &policy.range) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(declared: &[&str], term: &Term, known: &[&str], expect: Option<&str>) {
        let declared: Vec<String> = declared.iter().map(|sort| (*sort).to_owned()).collect();
        let known = || known.iter().map(|sort| (*sort).to_owned()).collect();
        assert_eq!(misfit(&declared, term, known).as_deref(), expect, "{declared:?} {term}");
    }

    fn name(text: &str) -> Term {
        Term::Name(text.to_owned())
    }

    #[test]
    fn only_what_is_evident_is_refused() {
        check(&["organization"], &name("Tuesday"), &[], Some("a date"));
        check(&["organization"], &name("火曜日"), &[], Some("a date"));
        check(&["person"], &name("2024-05-01"), &[], Some("a date"));
        check(&["place"], &name("42"), &[], Some("a number"));
        check(&["place"], &Term::Literal(Literal::typed("true", vocab::XSD_BOOLEAN)), &[], Some("a truth value"));
        check(&["number"], &Term::Literal(Literal::typed("2024-05-01", &format!("{}date", vocab::XSD))), &[], Some("a date"));
        check(&["person"], &name("Oslo"), &["place"], Some("place"));
        check(&["person", "animal"], &name("Acme"), &["organization", "product"], Some("organization or product"));
    }

    #[test]
    fn what_may_be_so_is_taken() {
        check(&[], &name("Tuesday"), &["place"], None);
        check(&["organization"], &name("Oslo"), &[], None);
        check(&["person"], &name("May"), &[], None);
        check(&["product"], &name("Monday"), &[], None);
        check(&["work"], &name("1984"), &[], None);
        check(&["date"], &name("1984"), &[], None);
        check(&["organization"], &name("3M"), &[], None);
        check(&["organization"], &name("20th Century Fox"), &[], None);
        check(&["person"], &name("Oslo"), &["place", "person"], None);
        check(&["thing"], &name("Bolt"), &["product"], None);
        check(&["animal"], &name("Rex"), &["dog"], None);
        check(&["text"], &name("Bolt"), &["person"], None);
        check(&["person", "organization"], &name("Acme"), &["organization"], None);
        check(&["place"], &Term::Literal(Literal::text("the old town")), &["person"], None);
    }
}
