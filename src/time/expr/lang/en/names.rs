//! What only looks like a time in English: names of persons, titles, rooms, versions, verses, ratios, ages.
//! Knows nothing of grammar; it judges a reading by the words around it.

use super::guard::is_noun;
use crate::time::expr::lang::parse::In;
use crate::time::expr::lexicon::Atom;
use crate::time::expr::symbol::{Clock, Fields, Meridian, Node};
use crate::time::expr::token::{Case, Kind, Token};

fn is(token: Option<&Token<'_>>, words: &[&str]) -> bool {
    token.is_some_and(|token| words.iter().any(|word| token.is(word)))
}

/// The tokens of a sentence before a place, the nearest first.
fn back<'b, 't>(before: &'b [Token<'t>]) -> impl Iterator<Item = &'b Token<'t>> {
    before.iter().rev().take_while(|token| !matches!(token.kind, Kind::Mark('.' | '!' | '?' | '\n' | ';')))
}

/// Whether a word before a number makes it the name of a thing: "room 2019", "line two", "version 2024".
pub(super) fn is_numbering(word: &Token<'_>) -> bool {
    const THINGS: &[&str] = &[
        "room",
        "building",
        "suite",
        "pin",
        "apartment",
        "apt",
        "flat",
        "gate",
        "flight",
        "route",
        "bus",
        "platform",
        "page",
        "pages",
        "chapter",
        "line",
        "number",
        "nr",
        "code",
        "extension",
        "ext",
        "model",
        "version",
        "ver",
        "v",
        "release",
        "build",
        "windows",
        "highway",
        "unit",
        "locker",
        "channel",
        "port",
        "error",
        "ticket",
        "invoice",
        "track",
        "level",
        "grade",
        "phase",
        "lane",
        "zip",
        "postcode",
        "size",
        "bay",
        "rfc",
        "iso",
        "episode",
        "option",
        "exhibit",
        "table",
        "figure",
    ];
    word.kind == Kind::Word && is(Some(word), THINGS)
}

/// Whether a word is a currency's.
pub(super) fn is_currency(word: &Token<'_>) -> bool {
    const CURRENCIES: &[&str] = &[
        "usd", "eur", "gbp", "jpy", "inr", "rs", "cad", "aud", "nzd", "chf", "nok", "sek", "dkk", "pln", "cny", "rmb", "krw", "brl", "mxn",
        "zar", "sgd", "hkd", "thb",
    ];
    is(Some(word), CURRENCIES)
}

/// "Version 2024.1.3", "10/2=5": digits with dots or strokes that are no date.
pub(super) fn is_numbered(before: &[Token<'_>], read: In<'_>, next: Option<&Token<'_>>, node: &Node) -> bool {
    const SOFTWARE: &[&str] = &["firmware", "ios", "android", "macos", "ubuntu", "python", "java", "kernel", "driver", "package"];
    let Node::Date(Fields { month: Some(_), .. }) = node else { return false };
    if !read.iter().all(|token| token.number().is_some() || matches!(token.kind, Kind::Mark(_))) {
        return false;
    }
    let previous = before.last();
    // "case 2024-017": an ordinal date only where something says that it is a day.
    if let [_, dash, day] = read
        && dash.is_mark('-')
        && day.number().is_some_and(|(_, count)| count == 3)
    {
        const LED: &[&str] = &[
            "on", "by", "since", "until", "till", "from", "before", "after", "to", "through", "is", "was", "date", "day", "dated",
            "between",
        ];
        let dated = matches!(before, [.., date, colon] if colon.is_mark(':') && (date.is("date") || date.is("day")));
        return !(is(previous, LED) || dated || before.is_empty());
    }
    let dotted = read.iter().any(|token| token.is_mark('.'));
    let sum = previous.is_some_and(|token| matches!(token.kind, Kind::Mark('=' | '×' | '÷')) || token.is_mark('+') && token.glued)
        || next.is_some_and(|token| token.is_mark('='));
    let software = is(previous, SOFTWARE) || previous.is_some_and(is_numbering);
    sum || dotted && software
}

/// "December 31, 9999": a day of a year beyond all that are told, and not of this one; but "on May 3, 5000 people came".
pub(super) fn is_of_far_year(rest: In<'_>, node: &Node) -> bool {
    fn ends_in_a_month(node: &Node) -> bool {
        match node {
            Node::Date(fields) => fields.month.is_some() && fields.year.is_none(),
            Node::Shift { base: Some(of), .. } | Node::Open(_, of) | Node::Near(of) | Node::Range(_, of) | Node::Section(_, of) => {
                ends_in_a_month(of)
            }
            _ => false,
        }
    }
    let rest = if rest.first().is_some_and(|next| next.is_mark(',')) { rest.get(1..).unwrap_or_default() } else { rest };
    let far = rest.first().and_then(Token::number).is_some_and(|(year, digits)| digits >= 4 && year >= 3000);
    let ends = rest.get(1).is_none_or(|next| matches!(next.kind, Kind::Mark(mark) if !next.glued || ".,;!?)\n".contains(mark)));
    far && ends && ends_in_a_month(node)
}

/// "The Night Watch", "Midnight Cowboy": a part of the day that is part of a name.
pub(super) fn is_title(previous: Option<&Token<'_>>, read: In<'_>, next: Option<&Token<'_>>, node: &Node) -> bool {
    let Some(last) = read.last() else { return false };
    let named = last.atoms.iter().any(|atom| matches!(atom, Atom::Clock(..) | Atom::Part(_)));
    let led = previous.is_some_and(|token| token.kind == Kind::Word && !token.is_capital());
    matches!(node, Node::Part(_) | Node::Clock(_))
        && named
        && !led
        && last.case == Case::Capital
        && next.is_some_and(|next| next.case == Case::Capital && !next.glued && is_noun(next))
}

/// "The Friday Night Club", "The Summer Book": a weekday, month or season between the article of a name and its nouns.
pub(super) fn is_called(previous: Option<&Token<'_>>, read: In<'_>, rest: In<'_>, node: &Node) -> bool {
    let bare = match node {
        Node::Season(_) => true,
        Node::Date(fields) => fields.is_bare_weekday() || *node == Node::month(fields.month.unwrap_or(0)),
        _ => false,
    };
    let (article, name) = match read {
        [name] => (previous, name),
        [article, name] => (Some(article), name),
        _ => return false,
    };
    let titled = |next: Option<&Token<'_>>| next.is_some_and(|next| next.case == Case::Capital && !next.glued && is_noun(next));
    // In prose, "the Friday Cooking Circle" is one with two nouns.
    let written = article.is_some_and(|article| article.is("the") && (article.is_capital() || titled(rest.get(1))));
    bare && written && name.case == Case::Capital && titled(rest.first())
}

/// `"In Summer"`: a season or month that ends a title in quotation marks.
pub(super) fn is_quoted(before: &[Token<'_>], read: In<'_>, next: Option<&Token<'_>>, node: &Node) -> bool {
    let quote = |token: &Token<'_>| matches!(token.kind, Kind::Mark('"' | '“' | '”'));
    let bare = matches!(node, Node::Season(_)) || matches!(node, Node::Date(fields) if *node == Node::month(fields.month.unwrap_or(0)));
    let title: Vec<&Token<'_>> = before.iter().rev().take_while(|token| token.kind == Kind::Word && token.is_capital()).collect();
    let opened = before.len().checked_sub(title.len() + 1).and_then(|at| before.get(at)).is_some_and(quote);
    bare && opened && !title.is_empty() && read.last().is_some_and(Token::is_capital) && next.is_some_and(quote)
}

/// "Energy level: 2/5", "the chance is 1/6", "2 * 3 / 4": a share of what there is, unless something says that it is a day.
pub(super) fn is_share(before: &[Token<'_>], read: In<'_>, rest: In<'_>) -> bool {
    const LED: &[&str] = &[
        "on",
        "by",
        "until",
        "till",
        "since",
        "before",
        "after",
        "from",
        "through",
        "thru",
        "between",
        "for",
        "this",
        "next",
        "last",
        "due",
        "date",
        "dated",
        "starting",
        "beginning",
        "ending",
        "effective",
        "born",
        "today",
        "tomorrow",
        "yesterday",
    ];
    const POINTS: &[&str] = &["star", "stars", "points", "rating", "score"];
    let [over, stroke, under] = read else { return false };
    let (Some(over), true, Some(under)) = (over.number(), stroke.is_mark('/'), under.number()) else { return false };
    let padded = |(value, count): (i64, u8)| value < 10 && count > 1;
    if stroke.glued && (over.0 > under.0 || under.0 > 13 || padded(over) || padded(under)) {
        return false;
    }
    if is(rest.first(), POINTS) || rest.first().is_some_and(|next| matches!(next.kind, Kind::Mark('^' | '×' | '*' | '=' | '+' | '}'))) {
        return true;
    }
    let open = |token: &Token<'_>| !matches!(token.kind, Kind::Mark('*' | '_' | '-' | '•' | '#' | '|'));
    let line_begins = before.iter().rev().find(|token| open(token)).is_none_or(|token| token.is_mark('\n'));
    let (Some(previous), Some(first)) = (before.last(), read.first()) else { return false };
    // "on 11/2, 11/4 or 11/5"
    let listed = matches!(before, [.., stroke, number, joint] if stroke.is_mark('/') && number.number().is_some()
        && (joint.is_mark(',') || is(Some(joint), &["or", "and", "to"]) || joint.is_mark('-')));
    let colon = |label: &[&str]| matches!(before, [.., name, colon] if colon.is_mark(':') && is(Some(name), label));
    let led = is(Some(previous), LED)
        || previous.atoms.iter().any(|atom| matches!(atom, Atom::Weekday(_)))
        || matches!(before, [.., day, mark] if matches!(mark.kind, Kind::Mark(',' | '(')) && day.atoms.iter().any(|atom| matches!(atom, Atom::Weekday(_))))
        || colon(&["date", "due", "deadline", "when", "day", "start", "end", "birthday"]);
    // A star that joins no number stresses.
    let stressed = line_begins && (!previous.is_mark('*') || first.glued);
    !(led || listed || stressed)
}

/// "in my thirties", "her mid-40s", "highs in the 80s": years of an age, or degrees.
pub(super) fn is_age(before: &[Token<'_>]) -> bool {
    const OWNERS: &[&str] = &["my", "your", "his", "her", "our", "their", "one's", "someone's"];
    const DEGREES: &[&str] =
        &["temperature", "temperatures", "temps", "temp", "degrees", "highs", "lows", "thermometer", "humidity", "heat", "mph"];
    let owner = before.iter().rev().find(|token| !(is(Some(token), &["early", "mid", "late", "very", "middle"]) || token.is_mark('-')));
    is(owner, OWNERS) || back(before).any(|token| is(Some(token), DEGREES))
}

/// "this season" of the year, rather than of a show or a sport.
pub(super) fn season_stands(before: &[Token<'_>], rest: In<'_>) -> bool {
    const OTHERS: &[&str] = &[
        "game",
        "games",
        "team",
        "teams",
        "match",
        "matches",
        "league",
        "episode",
        "episodes",
        "show",
        "shows",
        "series",
        "player",
        "players",
        "coach",
        "finale",
        "premiere",
        "football",
        "basketball",
        "soccer",
        "hockey",
        "baseball",
        "cricket",
        "rugby",
        "racing",
        "score",
        "scored",
        "win",
        "won",
        "wins",
        "lost",
        "playoffs",
        "watch",
        "watched",
        "watching",
        "netflix",
        "tv",
        "cast",
        "character",
        "plot",
        "championship",
        "champions",
        "points",
        "goals",
        "goal",
        "club",
        "play",
        "played",
        "playing",
        "sport",
        "sports",
        "f",
    ];
    // What the season is of may have been said in the sentence before.
    !is(rest.first(), &["of", "'s", "finale", "pass", "ticket", "tickets", "opener"])
        && !before.iter().chain(rest.iter().take(8)).any(|token| is(Some(token), OTHERS))
}

/// "John 3:16", "mix 1:10", "the score was 12:10": a colon between numbers that tell no time.
pub(super) fn is_ratio(before: &[Token<'_>], clock: Clock, read: In<'_>, rest: In<'_>) -> bool {
    const BOOKS: &[&str] = &[
        "genesis",
        "exodus",
        "leviticus",
        "deuteronomy",
        "joshua",
        "judges",
        "ruth",
        "samuel",
        "kings",
        "chronicles",
        "ezra",
        "nehemiah",
        "esther",
        "psalm",
        "psalms",
        "proverbs",
        "ecclesiastes",
        "isaiah",
        "jeremiah",
        "ezekiel",
        "daniel",
        "hosea",
        "joel",
        "amos",
        "micah",
        "matthew",
        "mark",
        "luke",
        "john",
        "acts",
        "romans",
        "corinthians",
        "galatians",
        "ephesians",
        "philippians",
        "colossians",
        "thessalonians",
        "timothy",
        "titus",
        "hebrews",
        "james",
        "peter",
        "jude",
        "revelation",
        "revelations",
        "verse",
        "surah",
        "quran",
        "chapter",
    ];
    const RATIOS: &[&str] =
        &["ratio", "ratios", "scale", "odds", "mix", "mixed", "dilute", "diluted", "dilution", "proportion", "aspect", "gear"];
    const SCORES: &[&str] = &["score", "scored", "scores", "won", "lost", "beat", "leading", "trailing", "defeated"];
    let colon = read.iter().any(|token| token.is_mark(':')) && clock.meridian != Meridian::Am && clock.meridian != Meridian::Pm;
    if !colon || clock.second.is_some() {
        return false;
    }
    let previous = before.last();
    let at = is(previous, &["at", "around", "by", "until", "before", "after", "from", "since"]);
    let ahead = rest.iter().take(2).any(|token| is(Some(token), RATIOS));
    let behind = || back(before).take(6).any(|token| is(Some(token), RATIOS) || is(Some(token), SCORES));
    previous.is_some_and(|previous| previous.is_capital() && is(Some(previous), BOOKS))
        || is(previous, &["verse"])
        || ahead
        || !at && behind()
}

/// Whether the name of a month that stands alone is one, and no verb and no person's name.
pub(super) fn month_stands(month: u32, before: &[Token<'_>], read: In<'_>, rest: In<'_>) -> bool {
    const LED: &[&str] = &[
        "in",
        "of",
        "since",
        "until",
        "by",
        "before",
        "after",
        "this",
        "next",
        "last",
        "during",
        "from",
        "to",
        "through",
        "and",
        "or",
        "between",
        "the",
        "early",
        "late",
        "mid",
        "around",
        "for",
        "every",
        "till",
        "end",
        "about",
        "beginning",
        "each",
        "past",
    ];
    let (previous, next) = (before.last(), rest.first());
    let Some(name) = read.first() else { return true };
    let word = name.norm.as_ref();
    let led = is(previous, LED);
    let mark = |token: Option<&Token<'_>>| token.is_none_or(|token| matches!(token.kind, Kind::Mark(_)));
    // "April and May"
    let other = before.iter().rev().nth(1).is_some_and(|token| token.atoms.iter().any(|atom| matches!(atom, Atom::Month(_))));
    if other && is(previous, &["and", "or"]) && name.is_capital() {
        return true;
    }
    // "may" and "march" are verbs; as months they follow a preposition and no verb follows them.
    if matches!(word, "may" | "march" | "mar") {
        let strong = is(
            previous,
            &["in", "of", "since", "until", "till", "by", "during", "last", "next", "late", "early", "mid", "from", "through"],
        );
        let follows = next.is_none_or(|next| next.kind != Kind::Word)
            || is(
                next,
                &[
                    "to", "and", "or", "through", "until", "when", "after", "before", "with", "at", "for", "was", "is", "but", "i", "we",
                    "he", "she", "they", "it", "you", "my", "our", "the", "there", "a", "his", "her", "their",
                ],
            )
            || strong && name.is_capital();
        return led && !(word == "may" && is(previous, &["this", "the", "and", "or", "to"])) && follows;
    }
    // An abbreviation needs company: "in Dec", "Dec: 4 %", "the Nov report".
    if word.len() <= 4 && !matches!(word, "june" | "july") {
        let marked = previous.is_some_and(|previous| matches!(previous.kind, Kind::Mark('$' | '#' | '@')));
        let owned = is(previous, &["the", "my", "our", "your", "his", "her", "their", "a"]);
        let modifies =
            next.is_some_and(|next| next.kind == Kind::Word) && !is(next, &["is", "was", "are", "were", "has", "had", "will", "'s"]);
        let listed = mark(previous) && (mark(next) || is(next, &["to", "through", "until", "and", "or"]));
        return !marked && (led && !owned || owned && modifies || listed);
    }
    !(matches!(month, 4 | 6 | 8) && !led && is_person(before, name, rest))
}

/// Whether "April", "June" or "August" is somebody: by what she does, by what is done to her, by a title or a surname.
fn is_person(before: &[Token<'_>], name: &Token<'_>, rest: In<'_>) -> bool {
    const DOES: &[&str] = &[
        "says", "said", "tells", "told", "asks", "asked", "thinks", "thought", "knows", "knew", "likes", "liked", "loves", "loved",
        "wants", "wanted", "writes", "wrote", "sings", "sang", "plays", "played", "lives", "lived", "works", "worked", "calls", "called",
        "smiled", "laughed", "cried", "nodded", "replied", "agreed", "decided", "hates", "hated", "married", "met", "texted", "helped",
        "invited", "looked", "looks", "sat", "stood", "walked", "smiles", "teaches", "taught", "thanked", "hopes", "hoped", "felt",
        "feels",
    ];
    const DONE_TO: &[&str] = &[
        "met",
        "meet",
        "told",
        "tell",
        "asked",
        "ask",
        "gave",
        "give",
        "married",
        "marry",
        "invited",
        "invite",
        "texted",
        "text",
        "phoned",
        "hugged",
        "kissed",
        "called",
        "thanked",
        "thank",
        "helped",
        "named",
        "introduced",
        "with",
        "dear",
        "hi",
        "hello",
        "hey",
        "mr",
        "mrs",
        "ms",
        "miss",
        "dr",
        "aunt",
        "auntie",
        "uncle",
        "grandma",
        "grandpa",
        "friend",
        "sister",
        "brother",
        "mother",
        "mom",
        "mum",
        "dad",
        "cousin",
        "daughter",
        "son",
        "wife",
        "husband",
        "girlfriend",
        "boyfriend",
        "boss",
        "colleague",
        "coworker",
        "neighbor",
        "neighbour",
        "teacher",
        "roommate",
        "niece",
        "nephew",
        "baby",
    ];
    let (previous, next) = (before.last(), rest.first());
    let surname = name.case == Case::Capital
        && next.is_some_and(|next| next.case == Case::Capital && !next.glued && is_noun(next))
        && !is(next, &["i"]);
    let kin = is(next, &["is", "was", "'s"])
        && is(rest.get(1), &["my", "his", "her", "our", "their", "your"])
        && !rest
            .iter()
            .take(7)
            .any(|token| token.atoms.iter().any(|atom| matches!(atom, Atom::Unit(..))) || is(Some(token), &["time", "season"]));
    let titled =
        is(previous, DONE_TO) || previous.is_some_and(|dot| dot.is_mark('.')) && is(before.iter().rev().nth(1), &["mr", "mrs", "ms", "dr"]);
    is(next, DOES) || titled || surname || kin
}
