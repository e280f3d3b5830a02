//! Judging a clause: whether it claims anything, and which phase and polarity its tense, aspect and adverbs give to a pattern.
//! Knows no relation.

use super::chunk::{Aspect, Tense, Vg};
use super::clause::{Clause, Mode};
use super::pack::Effect;
use super::scene::Scene;
use super::words::Tag;
use crate::extract::RejectionKind;
use crate::extract::rules::draft::Phase;
use crate::model::Polarity;
use crate::time::expr::{Role, TimeMention, Value};
use crate::time::{End, Instant, Start};

/// What the small words of a clause say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hints {
    /// "already"
    pub(super) already: bool,
    /// "any more", "any longer"
    pub(super) anymore: bool,
    /// "formerly", "back then"
    pub(super) formerly: bool,
    /// "almost", "nearly"
    pub(super) almost: bool,
    /// "maybe", "perhaps"
    pub(super) maybe: bool,
    /// "still", "now", "currently"
    pub(super) now: bool,
}

impl Hints {
    pub(super) fn of(scene: &Scene<'_, '_>, from: usize, to: usize) -> Self {
        let mut hints = Self::default();
        for at in from..to {
            let lower = scene.line.lower(at);
            let before = scene.line.lower(at.wrapping_sub(1));
            match lower {
                "already" => hints.already = true,
                "anymore" => hints.anymore = true,
                "more" | "longer" if before == "any" => hints.anymore = true,
                "formerly" | "previously" | "erstwhile" => hints.formerly = true,
                "once" if scene.line.tag(at) != Some(Tag::Sub) => hints.formerly = true,
                "day" if before == "the" && scene.line.lower(at.wrapping_sub(2)) == "in" => hints.formerly = true,
                "then" if before == "back" => hints.formerly = true,
                "past" if before == "the" && scene.line.lower(at.wrapping_sub(2)) == "in" => hints.formerly = true,
                "almost" | "nearly" if !matches!(scene.line.tag(at + 1), Some(Tag::Num | Tag::Time | Tag::Det)) => hints.almost = true,
                "maybe" | "perhaps" | "possibly" | "supposedly" | "allegedly" | "hypothetically" | "apparently" | "reportedly"
                | "presumably" | "conceivably" | "hopefully" | "purportedly" | "theoretically" | "probably" => hints.maybe = true,
                "still" | "now" | "currently" | "presently" | "nowadays" => hints.now = true,
                _ => {}
            }
        }
        hints
    }
}

/// Why a clause claims nothing by itself, whatever it says.
pub(super) fn refused(clause: &Clause<'_>, hints: Hints) -> Option<(RejectionKind, &'static str)> {
    let group = &clause.group;
    match clause.mode {
        Mode::Asked => return Some((RejectionKind::Question, "it is asked")),
        Mode::Supposed => return Some((RejectionKind::Hypothetical, "it hangs on an \"if\"")),
        Mode::Ordered => return Some((RejectionKind::Request, "it is an order")),
        Mode::Told | Mode::Relative => {}
    }
    // "I'd love to", "I would like a dog"
    if group.unreal && !group.can && matches!(group.lemma, "love" | "like" | "prefer" | "want") {
        return Some((RejectionKind::Wish, "it is wished for"));
    }
    if group.unreal {
        return Some((RejectionKind::Hypothetical, "it is only possible"));
    }
    if hints.almost {
        return Some((RejectionKind::Hypothetical, "it nearly was so"));
    }
    if hints.maybe {
        return Some((RejectionKind::Hypothetical, "it may be so"));
    }
    None
}

/// What a pattern's effect comes to in a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) phase: Phase,
    pub(super) polarity: Polarity,
}

/// The circumstances of a verdict.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case<'a, 'g> {
    pub(super) group: &'a Vg<'g>,
    pub(super) hints: Hints,
    pub(super) effect: Effect,
    /// The relation is an event.
    pub(super) event: bool,
    /// A "no" stood before the noun.
    pub(super) denied: bool,
    pub(super) times: &'a [TimeMention],
    pub(super) now: Instant,
    /// Written matter reports in the present: "Bo takes over".
    pub(super) written: bool,
    /// What will be so is settled by saying it: "I'll report to Ann".
    pub(super) lasting: bool,
}

/// The phase and the polarity of a claim, or `None` where the clause claims nothing of the sort.
pub(super) fn verdict(case: &Case<'_, '_>) -> Option<Verdict> {
    let Case { group, hints, effect, event, .. } = *case;
    let negated = group.negated != case.denied;
    let over = group.longer || negated && hints.anymore;
    let holds = |phase| Some(Verdict { phase, polarity: Polarity::Holds });
    let ends = Some(Verdict { phase: Phase::Over, polarity: Polarity::Ends });
    let ahead = case.times.iter().any(|time| begins_after(time, case.now));
    let past = group.tense == Tense::Past || group.tense == Tense::None && group.passive;
    let coming = group.tense == Tense::Future || group.plan || group.tense == Tense::Present && !group.perfect && ahead;
    match effect {
        Effect::Denied => match (negated, over, group.never) {
            (true, false, false) if group.tense == Tense::Present => holds(Phase::Now),
            (true, false, false) if past => holds(Phase::Past),
            _ => None,
        },
        Effect::Ends => {
            if negated || group.used_to {
                None
            } else if coming && !ahead {
                None
            } else {
                let told = past || group.perfect || ahead || case.written || group.passive || group.aspect == Some(Aspect::Stop);
                if told { ends } else { None }
            }
        }
        Effect::Begins => {
            if group.used_to || group.aspect == Some(Aspect::Stop) {
                None
            } else if negated {
                Some(Verdict { phase: Phase::SoFar, polarity: Polarity::Never }).filter(|_| past || group.perfect)
            } else if past || group.perfect {
                holds(Phase::Began)
            } else if ahead {
                holds(Phase::Ahead)
            } else if case.written && group.tense == Tense::Present && !group.progressive {
                holds(Phase::Began)
            } else {
                None
            }
        }
        Effect::Lasts if negated || group.used_to || group.unreal => None,
        Effect::Lasts if past || group.perfect => holds(Phase::Began),
        Effect::Holds | Effect::Lasts => holding(case, negated, over, past, ahead, coming),
    }
    .filter(|_| !(event && effect != Effect::Holds && matches!(effect, Effect::Ends)))
}

fn holding(case: &Case<'_, '_>, negated: bool, over: bool, past: bool, ahead: bool, coming: bool) -> Option<Verdict> {
    let Case { group, hints, event, .. } = *case;
    let holds = |phase| Some(Verdict { phase, polarity: Polarity::Holds });
    let never = |phase| Some(Verdict { phase, polarity: Polarity::Never });
    match group.aspect {
        Some(Aspect::Stop) if !negated && (past || group.perfect || ahead) => {
            return Some(Verdict { phase: Phase::Over, polarity: Polarity::Ends });
        }
        Some(Aspect::Start) if !negated && !event && (past || group.perfect) => return holds(Phase::Began),
        Some(Aspect::Start) if !negated && !event && ahead => return holds(Phase::Ahead),
        Some(_) => return None,
        None => {}
    }
    if over {
        return if event { None } else { Some(Verdict { phase: Phase::Over, polarity: Polarity::Ends }) };
    }
    if group.used_to {
        // "I used to run marathons": a habit, and none of them.
        return if negated || event { None } else { holds(Phase::UsedTo) };
    }
    if event {
        return match (negated, past || group.perfect) {
            (true, _) if group.never || group.perfect => never(Phase::SoFar),
            (true, true) => never(Phase::Happened),
            (true, false) => None,
            (false, true) => holds(Phase::Happened),
            (false, false) if ahead || coming && !case.times.is_empty() => holds(Phase::Ahead),
            (false, false) if case.written && group.tense == Tense::Present => holds(Phase::Happened),
            (false, false) => None,
        };
    }
    if negated {
        return match () {
            () if group.perfect || group.never => never(Phase::SoFar),
            () if past => never(Phase::Past),
            () if coming => never(Phase::Ahead),
            () => never(Phase::Now),
        };
    }
    if group.tense == Tense::Future || group.plan {
        return if ahead {
            holds(Phase::Ahead)
        } else if case.lasting && !group.plan {
            holds(Phase::Now)
        } else {
            None
        };
    }
    if hints.formerly && (past || group.reduced) {
        return holds(Phase::UsedTo);
    }
    // "She is getting married": what is to come is a beginning, and no state.
    if group.got && group.progressive && group.tense == Tense::Present {
        return None;
    }
    if group.got && (past || group.perfect) {
        return holds(Phase::Began);
    }
    // "written by her", "based in Rome": a participle alone speaks of what is.
    if group.reduced {
        return holds(if case.times.is_empty() { Phase::Now } else { Phase::Began });
    }
    if past && group.perfect {
        return holds(Phase::Past);
    }
    if past {
        return holds(if hints.already { Phase::SoFar } else { Phase::Past });
    }
    holds(Phase::Now)
}

/// Whether a time lies after an instant.
fn begins_after(time: &TimeMention, now: Instant) -> bool {
    match time.value {
        Value::Moment(moment) => moment.lo() > now,
        Value::Span(span) => match (span.start(), span.end()) {
            (Start::At(moment), _) => moment.lo() > now,
            (_, End::At(moment)) if time.role != Role::Until => moment.lo() > now,
            _ => false,
        },
        Value::Duration(_) | Value::Set(_) => false,
    }
}
