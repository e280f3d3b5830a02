//! Whether a number is a time in English: a year or a count, a day of the month or a place in a row, an hour or a score, a length.
//! Knows nothing of grammar; it judges a reading by the words around it.

use super::guard::{FUNCTION, is_noun};
use super::names;
use crate::time::expr::lang::parse::In;
use crate::time::expr::lexicon::Atom;
use crate::time::expr::symbol::{Clock, Meridian, Node};
use crate::time::expr::token::{Kind, Token};

/// Whether a number of four digits is a year where it stands.
pub(super) fn year_stands(before: &[Token<'_>], first: Option<&Token<'_>>, next: Option<&Token<'_>>, rest: In<'_>) -> bool {
    let Some((value, 4)) = first.and_then(Token::number) else { return true };
    let previous = before.last();
    let is = |token: Option<&Token<'_>>, words: &[&str]| token.is_some_and(|token| words.iter().any(|word| token.is(word)));
    let led = is(
        previous,
        &[
            "in", "since", "of", "from", "until", "till", "by", "before", "after", "during", "around", "circa", "year", "to", "through",
            "early", "late", "mid", "between", "summer", "winter", "spring", "fall", "autumn", "back", "for",
        ],
    );
    if next.is_some_and(|next| {
        next.glued
            && matches!(next.kind, Kind::Mark('-' | '/' | '.' | '_' | ':'))
            && rest.get(1).is_some_and(|more| more.glued && (more.number().is_some() || more.kind == Kind::Word))
    }) {
        return false;
    }
    if first.is_some_and(|first| first.glued)
        && previous.is_some_and(|previous| matches!(previous.kind, Kind::Mark('-' | '/' | '.' | '_' | ':')))
    {
        return false;
    }
    if next.is_some_and(|next| next.is_mark('-')) && rest.get(1).is_some_and(|more| more.number().is_some_and(|(_, digits)| digits < 4)) {
        return false;
    }
    if previous.is_some_and(|previous| names::is_numbering(previous) || names::is_currency(previous)) {
        return false;
    }
    // "over 2000 of them", "another 2000"
    if is(previous, &["over", "under", "than", "exactly", "least", "most", "only", "another", "extra", "roughly", "approximately"])
        || next.is_some_and(|next| is_counted(value, next, rest.get(1)))
    {
        return false;
    }
    if !(1800..2040).contains(&value) {
        return led && (1000..2200).contains(&value) && next.is_none_or(|next| next.kind != Kind::Word || is(Some(next), FUNCTION));
    }
    if next.is_some_and(|next| next.atoms.iter().any(|atom| matches!(atom, Atom::Unit(..))) && !next.is("s")) {
        return false;
    }
    // "1875 pieces" counts; "2019 was", "2019 and" do not, nor does "the 2008 crisis", "my 2015 diary", "a 2019 study".
    let counts = next.is_some_and(|next| next.kind == Kind::Word && !is(Some(next), FUNCTION));
    let determined = is(previous, &["the", "a", "an", "my", "your", "his", "her", "our", "their", "its", "this", "that", "'s"]);
    !counts || (led || determined) && (1900..2100).contains(&value)
}

/// Whether a number is one of things: "2000 steps", "2015 of them".
pub(super) fn is_counted(value: i64, next: &Token<'_>, after: Option<&Token<'_>>) -> bool {
    const THINGS: &[&str] = &[
        "people",
        "persons",
        "men",
        "women",
        "children",
        "kids",
        "students",
        "workers",
        "users",
        "members",
        "fans",
        "followers",
        "guests",
        "km",
        "kilometers",
        "kilometres",
        "miles",
        "mile",
        "meter",
        "meters",
        "metre",
        "metres",
        "feet",
        "foot",
        "ft",
        "yards",
        "yard",
        "kg",
        "lbs",
        "lb",
        "pounds",
        "pound",
        "grams",
        "gram",
        "dollars",
        "dollar",
        "euros",
        "euro",
        "bucks",
        "cents",
        "usd",
        "eur",
        "gbp",
        "yen",
        "points",
        "point",
        "calories",
        "calorie",
        "kcal",
        "words",
        "word",
        "steps",
        "step",
        "pages",
        "page",
        "copies",
        "votes",
        "seats",
        "seat",
        "pieces",
        "piece",
        "percent",
        "mb",
        "gb",
        "watts",
        "watt",
        "volts",
        "rpm",
        "hp",
        "mm",
        "cm",
        "units",
        "items",
        "acres",
        "square",
        "sq",
        "strong",
        "more",
        "fewer",
        "times",
        "plus",
        "or",
        "other",
        "different",
        "degrees",
        "jobs",
        "homes",
    ];
    const EVENTS: &[&str] = &[
        "elections",
        "olympics",
        "games",
        "riots",
        "floods",
        "fires",
        "protests",
        "attacks",
        "awards",
        "finals",
        "championships",
        "playoffs",
        "sales",
        "bonus",
        "plans",
        "goals",
        "results",
        "taxes",
        "news",
    ];
    let is = |token: &Token<'_>, words: &[&str]| words.iter().any(|word| token.is(word));
    if next.is("or") {
        return after.is_some_and(|after| is(after, &["more", "so", "fewer"]));
    }
    if next.is("of") {
        return after.is_some_and(|after| is(after, &["them", "us", "you", "these", "those", "the", "its", "his", "her", "my", "our"]));
    }
    let many = next.norm.ends_with('s') && !["ss", "us", "is", "ics"].iter().any(|end| next.norm.ends_with(end)) && !is(next, EVENTS);
    is(next, THINGS) || value % 100 == 0 && many && is_noun(next) && !next.is_capital()
}

/// Whether an ordinal or a number is a day of a month: "the 4th", "on the 21st", not "the 4th time", "the first".
pub(super) fn ordinal_stands(previous: Option<&Token<'_>>, read: In<'_>, rest: In<'_>) -> bool {
    let digits = read.iter().any(|token| token.number().is_some());
    let led =
        previous.is_some_and(|token| ["on", "by", "until", "till", "since", "before", "after", "around"].iter().any(|word| token.is(word)));
    let the = read.first().is_some_and(|token| token.is("the"));
    let follows_word = rest.first().is_some_and(|next| next.kind == Kind::Word && !FUNCTION.iter().any(|word| next.is(word)));
    let suffixed = read.iter().any(|token| matches!(token.norm.as_ref(), "st" | "nd" | "rd" | "th"));
    digits
        && suffixed
        && !previous.is_some_and(|token| token.is("in"))
        && (led || the && !follows_word)
        && !rest.first().is_some_and(|next| next.kind == Kind::Word && (next.is("of") || follows_word) || next.is_mark('-') && next.glued)
}

/// "5 to 10 km" and "ten to five people": no time of day. In digits it is one only where something says so ("at 5 to 10").
pub(super) fn to_the_hour_of_things(before: &[Token<'_>], read: In<'_>, next: Option<&Token<'_>>) -> bool {
    let [minutes, to, hour] = read else { return false };
    if !["to", "of", "after", "before"].iter().any(|word| to.is(word)) {
        return false;
    }
    let digits = minutes.number().is_some() && hour.number().is_some();
    let led = before.last().is_some_and(|token| AT.iter().any(|word| token.is(word)));
    let alone = before.is_empty() && next.is_none();
    next.is_some_and(is_thing) || digits && !led && !alone
}

/// Whether what follows a number is counted by it.
fn is_thing(next: &Token<'_>) -> bool {
    is_noun(next)
        || next.is_mark('%')
        || next.is_mark('°')
        || next.atoms.iter().any(|atom| matches!(atom, Atom::Unit(..) | Atom::Cardinal(_)))
}

/// What a time of day follows.
pub(super) const AT: &[&str] =
    &["at", "'s", "is", "was", "it", "until", "till", "by", "before", "after", "around", "about", "since", "nearly", "almost", "from"];

/// Whether two bare numbers are hours: "open from 9 to 12", and of numbers that fall ("from 9 to 5") wherever nothing else falls.
pub(super) fn hours_stand(before: &[Token<'_>], read: In<'_>, rest: In<'_>, node: &Node) -> bool {
    const CHANGES: &[&str] = &[
        "drop",
        "drops",
        "dropped",
        "fell",
        "fall",
        "falls",
        "cut",
        "cuts",
        "reduce",
        "reduced",
        "lowered",
        "decrease",
        "decreased",
        "declined",
        "down",
        "shrank",
        "change",
        "changed",
        "changes",
        "slipped",
        "sank",
        "won",
        "win",
        "lost",
        "lose",
        "beat",
        "score",
        "scored",
        "voted",
        "vote",
        "votes",
        "ratio",
        "odds",
        "rate",
        "rated",
        "scale",
        "count",
        "counted",
        "temperature",
        "temperatures",
        "price",
        "prices",
        "ages",
        "aged",
        "numbers",
        "number",
        "grade",
        "grades",
        "level",
        "levels",
        "page",
        "pages",
        "chapter",
        "chapters",
        "size",
        "sizes",
        "points",
        "increased",
        "increase",
        "rose",
        "grew",
        "went",
        "goes",
        "ranges",
        "range",
        "ranging",
    ];
    const OPEN: &[&str] = &[
        "work",
        "works",
        "worked",
        "working",
        "open",
        "opens",
        "opened",
        "shift",
        "shifts",
        "hours",
        "available",
        "free",
        "busy",
        "class",
        "classes",
        "lesson",
        "lessons",
        "school",
        "office",
        "store",
        "shop",
        "job",
        "clinic",
        "closed",
        "duty",
        "schedule",
        "meeting",
        "call",
        "booked",
        "scheduled",
        "reception",
        "library",
    ];
    let Node::Range(from, to) = node else { return true };
    let (Node::Clock(from), Node::Clock(to)) = (&**from, &**to) else { return true };
    if rest.first().is_some_and(|next| is_thing(next) || next.glued && matches!(next.kind, Kind::Mark('-' | '/' | ':'))) {
        return false;
    }
    let clause = || before.iter().rev().take_while(|token| !matches!(token.kind, Kind::Mark('.' | '!' | '?' | '\n' | ';')));
    let says = |words: &[&str]| clause().any(|token| words.iter().any(|word| token.is(word)));
    // "At 10 to 7" is ten minutes to seven.
    let at = before.last().is_some_and(|token| ["at", "is", "'s", "was"].iter().any(|word| token.is(word)));
    if at || says(CHANGES) {
        return false;
    }
    let opens = says(OPEN) || clause().any(|token| token.atoms.iter().any(|atom| matches!(atom, Atom::Weekday(_))));
    let opened = read.first().is_some_and(|first| first.is("from") || first.is("between"));
    let falls = (5..=12).contains(&from.hour) && (1..=8).contains(&to.hour) && to.hour < from.hour;
    let alone = before.is_empty() && rest.is_empty();
    let dashed = read.iter().any(|token| token.is_mark('-'));
    opens || falls && !dashed && (opened || alone)
}

pub(super) fn clock_stands(clock: Clock, read: In<'_>, previous: Option<&Token<'_>>) -> bool {
    // "1:1", "16:9" and scores are no times; "3:05" is. A spelled clock without a meridian needs "at".
    let ratio = matches!(clock, Clock { minute: Some(_), .. })
        && read.first().is_some_and(|first| first.number().is_none())
        && clock.meridian == Meridian::Either;
    let at = previous.is_some_and(|token| {
        ["at", "around", "until", "till", "by", "before", "after", "about", "from", "to", "'s", "is"].iter().any(|word| token.is(word))
    });
    let words = read.iter().any(|token| {
        ["past", "to", "quarter", "half", "o"].iter().any(|word| token.is(word)) || matches!(token.atoms.first(), Some(Atom::Clock(..)))
    });
    let half = read.len() == 2 && read.first().is_some_and(|token| token.is("half"));
    // "2a" and "3p" are terms and notes as often as times.
    if read.len() == 2 && read.get(1).is_some_and(|token| token.is("a") || token.is("p")) {
        return at || previous.is_none();
    }
    let only_h = read.len() == 2 && read.get(1).is_some_and(|token| token.is("h"));
    if half {
        return at;
    }
    if only_h {
        return previous.is_some_and(|token| token.is("at"));
    }
    !ratio || at || words
}

/// What is open, or goes on, all day and night.
const ALL_DAY: &[&str] = &[
    "race",
    "clock",
    "format",
    "notation",
    "time",
    "shop",
    "store",
    "gym",
    "news",
    "service",
    "services",
    "hotline",
    "helpline",
    "support",
    "pharmacy",
    "supermarket",
    "diner",
    "access",
    "emergency",
    "garage",
    "reception",
    "surveillance",
    "security",
    "care",
];

/// Whether a length is spoken of as one: not "a second time", "one day", "the second".
pub(super) fn length_stands(previous: Option<&Token<'_>>, read: In<'_>, rest: In<'_>) -> bool {
    let is = |token: Option<&Token<'_>>, words: &[&str]| token.is_some_and(|token| words.iter().any(|word| token.is(word)));
    // "20 m" is a distance, "The Witcher 3\"" a title, "a one-year-old" a child.
    if read.len() == 2 && read.get(1).is_some_and(|token| token.is("m") || matches!(token.kind, Kind::Mark('"' | '\''))) {
        return false;
    }
    // "a 2D game"
    if read.len() == 2
        && read.get(1).is_some_and(|token| token.is("d"))
        && read.first().and_then(Token::number).is_some_and(|(value, _)| value < 5)
    {
        return false;
    }
    if let [dash, old, ..] = rest
        && dash.is_mark('-')
        && (old.is("old") || old.is("olds"))
    {
        return false;
    }
    // "on another day" is not a day longer.
    if read.len() == 2 && read.first().is_some_and(|token| token.is("another")) && read.get(1).is_some_and(|token| token.is("day")) {
        return false;
    }
    // A 24-hour race or shop goes on round the clock, and "24 Hours of Le Mans" is a name; a 24-hour delay is so long.
    if let [number, .., unit] = read
        && number.number().is_some_and(|(value, _)| value == 24)
        && (unit.is("hour") || unit.is("hours"))
    {
        let named = unit.is_capital() && is(rest.first(), &["of", "le", "race"]);
        if read.iter().any(|token| token.is_mark('-')) && is(rest.first(), ALL_DAY) || named {
            return false;
        }
        let event = |next: &[Token<'_>]| {
            next.iter().take(4).take_while(|token| token.kind == Kind::Word && !token.glued).any(|token| token.is("race"))
        };
        if read.iter().any(|token| token.is_mark('-')) && event(rest) {
            return false;
        }
    }
    let article = read.len() == 2 && read.first().is_some_and(|token| token.is("a") || token.is("an") || token.is("one"));
    if article && is(previous, &["times", "time", "once", "twice"]) {
        return false;
    }
    if article {
        let word = read.get(1).map_or("", |token| token.norm.as_ref());
        let spoken = is(
            previous,
            &["for", "takes", "took", "take", "within", "about", "over", "only", "last", "lasted", "under", "than", "almost", "nearly"],
        );
        return spoken
            || matches!(word, "hour" | "fortnight" | "decade" | "century")
            || matches!(word, "week" | "month" | "year") && rest.first().is_none_or(|next| matches!(next.kind, Kind::Mark(_)));
    }
    if read.last().is_some_and(|token| matches!(token.norm.as_ref(), "nights" | "night")) {
        return read
            .first()
            .is_some_and(|token| token.number().is_some() || token.atoms.iter().any(|atom| matches!(atom, Atom::Cardinal(_))))
            && !is(rest.first(), &["markets", "stands"]);
    }
    !is(rest.first(), &["old", "olds"])
}
