//! Test support: the rules once more, as plainly as they are written, without any thought of speed; and a per-instant model.
//! Shares no code with the derivation, only its input types.

use super::*;
use crate::model::{AuthorityMode, OnConflict, Polarity, RelationKind};
use crate::time::{End, Start};
use std::collections::{BTreeMap, BTreeSet};

const PAST: i64 = i64::MIN;
const FUTURE: i64 = i64::MAX;

/// A fact of the naive derivation. Bounds as in `Draft`, hidden stretches as ticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NaiveFact {
    pub value: u32,
    pub start: Start,
    pub end: End,
    pub cause: EndCause,
    pub contested: bool,
    pub challenged_from: Option<i64>,
    pub claims: BTreeSet<u32>,
    pub hidden: BTreeSet<i64>,
    pub first: u32,
    pub rank: u8,
    pub observed_at: i64,
}

#[derive(Clone, Debug)]
struct C {
    id: u32,
    value: u32,
    kind: char,
    lo: i64,
    hi: i64,
    end: Option<(i64, i64, bool)>,
    evidence: i64,
    rank: u8,
    observed: i64,
    mute: bool,
}

#[derive(Clone, Debug)]
struct R {
    value: u32,
    holds: Vec<C>,
    ends: Vec<C>,
    evidence: i64,
    lo: i64,
    hi: i64,
    end: (i64, i64),
    cause: EndCause,
    bounded: bool,
    hidden: Vec<(i64, i64)>,
    contested: bool,
    challenged: Option<i64>,
}

impl R {
    fn key(&self) -> i64 {
        self.holds[0].lo
    }

    fn rank(&self) -> u8 {
        self.holds.iter().map(|c| c.rank).max().unwrap()
    }

    fn observed(&self) -> i64 {
        self.holds.iter().chain(&self.ends).map(|c| c.observed).max().unwrap()
    }

    fn earliest(&self) -> i64 {
        if self.holds[0].kind == 'a' { self.lo } else { PAST }
    }

    /// What begins and ends at one tick is there for that tick.
    fn is_tick(&self) -> bool {
        self.holds[0].kind == 'a' && self.lo == self.hi && self.end.1 == self.lo
    }

    fn last(&self) -> i64 {
        if self.is_tick() { self.lo + 1 } else { self.end.1 }
    }

    fn surely(&self) -> (i64, i64) {
        if self.is_tick() { (self.lo, self.lo + 1) } else { (self.hi, self.end.0) }
    }

    fn hides(&self, t: i64) -> bool {
        self.hidden.iter().any(|&(from, to)| from <= t && t < to)
    }
}

/// The ticks at which models are compared; all instants in tests lie between.
pub(super) fn ticks() -> impl Iterator<Item = i64> + Clone {
    -4..60
}

pub(super) fn naive(claims: &[SlotClaim], rules: &SlotRules) -> Vec<NaiveFact> {
    let rank = |c: &SlotClaim| if rules.authority == AuthorityMode::Equal { 0 } else { c.authority.rank() };
    let mut holds: Vec<C> = Vec::new();
    let mut ends: Vec<C> = Vec::new();
    let mut nevers: Vec<C> = Vec::new();
    for claim in claims {
        let (kind, lo, hi) = match claim.span.start() {
            Start::At(m) => ('a', m.lo().micros(), m.hi().micros()),
            Start::By(t) => ('b', t.micros(), t.micros()),
            Start::Always => ('w', PAST, PAST),
            Start::Unknown => ('u', PAST, PAST),
        };
        let end = match claim.span.end() {
            End::At(m) => Some((m.lo().micros(), m.hi().micros(), false)),
            End::By(t) => Some((PAST, t.micros(), true)),
            End::Open => None,
        };
        let evidence = claim.seen_at.map_or(PAST, crate::time::Instant::micros);
        let observed = claim.observed_at.micros();
        let c = C { id: claim.claim, value: claim.value, kind, lo, hi, end, evidence, rank: rank(claim), observed, mute: false };
        match claim.polarity {
            Polarity::Never => nevers.push(c),
            Polarity::Ends => ends.push(c),
            Polarity::Holds if kind == 'u' => ends.push(c),
            Polarity::Holds => holds.push(c),
        }
    }
    // Rule 1.
    let claimed = holds.clone();
    for c in &mut holds {
        let own_end = c.end.map_or(FUTURE, |e| e.1);
        if c.kind == 'a' {
            let narrower = claimed.iter().filter(|o| {
                o.value == c.value
                    && o.kind == 'a'
                    && o.hi - o.lo < c.hi - c.lo
                    && c.lo <= o.lo
                    && o.lo < c.hi
                    && o.hi <= c.hi
                    && o.lo < own_end
            });
            if let Some(best) = narrower.min_by_key(|o| (o.hi - o.lo, o.lo)) {
                (c.lo, c.hi) = (best.lo, best.hi);
            }
        }
        let seen = c.evidence;
        c.evidence = c.lo;
        if rules.kind == RelationKind::Event && c.end.is_none() && c.kind != 'w' {
            c.end = Some(if c.kind == 'b' { (PAST, c.lo, true) } else { (c.lo, c.hi, false) });
            continue;
        }
        if c.kind == 'a' {
            c.hi = c.hi.min(own_end);
        }
        c.evidence = c.evidence.max(seen.min(own_end)).max(c.end.map_or(PAST, |e| e.0));
    }
    // Rule 7: a denied claim does nothing to others.
    for c in &mut holds {
        c.mute = nevers.iter().any(|n| n.value == c.value && n.rank >= c.rank && n.lo <= c.lo && c.lo < n.end.map_or(FUTURE, |e| e.1));
    }
    let mut suspending: BTreeSet<u32> = BTreeSet::new();
    if rules.resumes && rules.exclusive && rules.kind == RelationKind::State {
        for r in runs(&holds, &ends, rules).0 {
            if r.bounded {
                suspending.extend(r.holds.iter().filter(|c| !c.mute).map(|c| c.id));
            }
        }
        for c in &mut holds {
            c.mute |= suspending.contains(&c.id);
        }
    }
    let (mut found, orphans) = runs(&holds, &ends, rules);
    // `resumes`.
    let all = found.clone();
    for r in &mut found {
        for (c, own_run) in all.iter().flat_map(|own| own.holds.iter().map(move |c| (c, own))) {
            if suspending.contains(&c.id)
                && c.value != r.value
                && c.rank >= r.rank()
                && c.lo > r.key()
                && c.lo < r.end.1
                && c.lo.max(c.evidence) >= r.evidence
            {
                let from = if c.kind == 'b' { r.evidence } else { c.lo.max(r.evidence) };
                r.hidden.push((from, own_run.end.1.min(r.end.1)));
            }
        }
    }
    // Rule 7.
    for r in &mut found {
        for n in nevers.iter().filter(|n| n.value == r.value) {
            let (from, to) = (n.lo.max(r.earliest()), n.end.map_or(FUTURE, |e| e.1).min(r.last()));
            if from >= to {
                continue;
            }
            let held = if r.ends.iter().any(|e| e.rank > n.rank) {
                PAST
            } else {
                r.holds.iter().filter(|c| c.rank > n.rank).map(|c| c.lo).min().unwrap_or(FUTURE)
            };
            if from < held.min(to) {
                r.hidden.push((from, held.min(to)));
            }
            if held.min(to) < to {
                r.challenged = Some(r.challenged.map_or(n.lo, |c| c.min(n.lo)));
            }
        }
        r.hidden.retain(|(from, to)| from < to);
    }
    // Rules 5 and 6, instant by instant.
    let mut lost: Vec<Vec<(i64, i64)>> = vec![Vec::new(); found.len()];
    if rules.exclusive && rules.kind != RelationKind::Event {
        for left in 0..found.len() {
            for right in left + 1..found.len() {
                let (p, q) = (&found[left], &found[right]);
                let stands = |r: &R, t: i64| ((r.surely().0 <= t && t < r.surely().1) || t == r.key()) && !r.hides(t);
                if p.value == q.value || !std::iter::once(PAST).chain(ticks()).chain([FUTURE - 1]).any(|t| stands(p, t) && stands(q, t)) {
                    continue;
                }
                if p.rank() != q.rank() {
                    let (low, high) = if p.rank() < q.rank() { (left, right) } else { (right, left) };
                    let from = found[low].key();
                    found[low].contested = true;
                    let high_run = &mut found[high];
                    high_run.challenged = Some(high_run.challenged.map_or(from, |c| c.min(from)));
                    if rules.authority == AuthorityMode::Strict {
                        lost[low].extend(minus((found[high].earliest(), found[high].last()), &found[high].hidden));
                    }
                } else if rules.on_conflict == OnConflict::Newest && p.observed() != q.observed() {
                    let (old, new) = if p.observed() < q.observed() { (left, right) } else { (right, left) };
                    lost[old].extend(minus(found[new].surely(), &found[new].hidden));
                } else {
                    found[left].contested = true;
                    found[right].contested = true;
                }
            }
        }
    }
    let mut facts: Vec<NaiveFact> = Vec::new();
    for (r, lost) in found.iter().zip(lost) {
        let start = match r.holds[0].kind {
            'a' => Start::At(cases::moment(r.lo, r.hi)),
            'b' => Start::By(cases::at(r.lo)),
            _ => Start::Always,
        };
        let inside = |t: i64| r.earliest() <= t && t < r.last();
        facts.push(NaiveFact {
            value: r.value,
            start,
            end: end(r.end),
            cause: r.cause,
            contested: r.contested,
            challenged_from: r.challenged,
            claims: r.holds.iter().chain(&r.ends).map(|c| c.id).collect(),
            hidden: ticks().filter(|&t| inside(t) && (r.hides(t) || lost.iter().any(|&(from, to)| from <= t && t < to))).collect(),
            first: r.holds[0].id,
            rank: r.rank(),
            observed_at: r.observed(),
        });
    }
    for (value, ends) in orphans {
        let best = ends.iter().map(|e| e.rank).max().unwrap();
        let heard: Vec<Stated> = ends.iter().filter(|e| e.rank == best).map(|e| (e.end.unwrap(), e.id)).collect();
        let (end_at, counting) = choose(PAST, &heard);
        let (bounds, claim) = counting.unwrap();
        let mut order = ends.clone();
        order.sort_by_key(|e| (e.end.unwrap().1, e.end.unwrap().0, e.id));
        let denials = nevers.iter().filter(|n| n.value == value);
        let mut hidden = BTreeSet::new();
        let mut challenged = challenge(&lower_ends(ends.iter(), best), bounds.0.max(end_at));
        for n in denials.filter(|n| n.lo < bounds.1.min(n.end.map_or(FUTURE, |e| e.1))) {
            if ends.iter().any(|e| e.rank > n.rank) {
                challenged = Some(challenged.map_or(n.lo, |c| c.min(n.lo)));
            } else {
                hidden.extend(ticks().filter(|&t| n.lo <= t && t < n.end.map_or(FUTURE, |e| e.1) && t < bounds.1));
            }
        }
        facts.push(NaiveFact {
            value,
            start: Start::Unknown,
            end: end((bounds.0.max(end_at), bounds.1)),
            cause: EndCause::Stated(claim),
            contested: false,
            challenged_from: challenged,
            claims: ends.iter().map(|e| e.id).collect(),
            hidden,
            first: order[0].id,
            rank: best,
            observed_at: ends.iter().map(|e| e.observed).max().unwrap(),
        });
    }
    facts
}

fn end((lo, hi): (i64, i64)) -> End {
    if hi == FUTURE && lo == FUTURE {
        End::Open
    } else if lo == PAST {
        End::By(cases::at(hi))
    } else {
        End::At(cases::moment(lo, hi))
    }
}

fn minus((from, to): (i64, i64), holes: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut left = vec![(from, to)];
    for &(hole_from, hole_to) in holes {
        left = left
            .into_iter()
            .flat_map(|(from, to)| [(from, to.min(hole_from)), (from.max(hole_to), to)])
            .filter(|(from, to)| from < to)
            .collect();
    }
    left
}

/// An end and the claim that states it.
type Stated = ((i64, i64, bool), u32);

fn choose(evidence: i64, ends: &[Stated]) -> (i64, Option<Stated>) {
    let evidence = ends.iter().map(|e| e.0.0).fold(evidence, i64::max);
    let counting = ends.iter().filter(|e| e.0.1 >= evidence).min_by_key(|e| (e.0.1, std::cmp::Reverse(e.0.0), e.1));
    (evidence, counting.copied())
}

/// Rules 2 to 4 and the time to live.
fn runs(holds: &[C], ends: &[C], rules: &SlotRules) -> (Vec<R>, BTreeMap<u32, Vec<C>>) {
    let competing = rules.exclusive && rules.kind == RelationKind::State;
    let covers = |c: &C, r: &R| {
        competing
            && !c.mute
            && c.value != r.value
            && c.rank >= r.rank()
            && c.lo < r.evidence
            && r.evidence < c.evidence
            && !(c.lo <= r.key() && c.end.is_some())
    };
    let cuts = |c: &C, r: &R| competing && !c.mute && c.value != r.value && c.rank >= r.rank() && c.lo > r.key() && c.lo >= r.evidence;
    let cut_order = |c: &C| (c.lo, c.hi, c.value, c.id);
    let expiry = |r: &R| rules.ttl_micros.filter(|_| r.evidence != PAST && rules.kind != RelationKind::Event).map(|ttl| r.evidence + ttl);
    let mut found: Vec<R> = Vec::new();
    for &value in &holds.iter().map(|c| c.value).collect::<BTreeSet<_>>() {
        let mut own: Vec<C> = holds.iter().filter(|c| c.value == value).cloned().collect();
        own.sort_by_key(|c| (c.lo, c.hi, c.evidence, c.id));
        let mut last: Option<R> = None;
        for c in own {
            if let Some(r) = &mut last {
                let same_event =
                    rules.kind == RelationKind::Event && (r.holds[0].kind, r.holds[0].lo, r.holds[0].hi) == (c.kind, c.lo, c.hi);
                let heard = |e: &&C| e.rank >= r.rank();
                let own_end = r.holds.iter().filter(heard).filter_map(|h| h.end).any(|e| r.evidence <= e.1 && e.1 <= c.lo);
                let other_end = ends
                    .iter()
                    .filter(|e| e.value == value)
                    .filter(heard)
                    .filter_map(|e| e.end)
                    .any(|e| r.evidence <= e.1 && e.1 <= c.lo && r.key() < e.1);
                let moment = r.holds.iter().filter(heard).filter_map(|h| h.end).any(|e| r.evidence <= e.1);
                let momentary = rules.kind == RelationKind::Event && r.holds[0].kind != 'w' && !moment;
                let ended = own_end || other_end || momentary;
                let cut = holds.iter().any(|o| covers(o, r) || (cuts(o, r) && o.lo <= c.lo));
                let expired = expiry(r).is_some_and(|at| at <= c.lo && r.evidence < c.lo);
                if c.lo < r.evidence || same_event || !(ended || cut || expired) {
                    r.evidence = r.evidence.max(c.evidence);
                    r.holds.push(c);
                    continue;
                }
            }
            found.extend(last.take());
            last = Some(R {
                value,
                evidence: c.evidence,
                lo: c.lo,
                hi: c.hi,
                holds: vec![c],
                ends: Vec::new(),
                end: (FUTURE, FUTURE),
                cause: EndCause::Open,
                bounded: false,
                hidden: Vec::new(),
                contested: false,
                challenged: None,
            });
        }
        found.extend(last);
    }
    let mut orphans: BTreeMap<u32, Vec<C>> = BTreeMap::new();
    for e in ends {
        match found.iter_mut().rfind(|r| r.value == e.value && r.key() < e.end.unwrap().1) {
            Some(r) => r.ends.push(e.clone()),
            None => orphans.entry(e.value).or_default().push(e.clone()),
        }
    }
    for r in &mut found {
        let stated: Vec<_> = r.holds.iter().chain(&r.ends).filter(|c| c.rank >= r.rank()).filter_map(|c| Some((c.end?, c.id))).collect();
        let (evidence, counting) = choose(r.evidence, &stated);
        r.evidence = evidence;
        let mut latest = FUTURE;
        if let Some((bounds, claim)) = counting {
            r.bounded = true;
            r.end = (bounds.0.max(evidence), bounds.1);
            r.cause = EndCause::Stated(claim);
            if r.holds[0].kind == 'a' {
                r.hi = r.hi.min(bounds.1);
            }
            if !bounds.2 {
                continue;
            }
            latest = bounds.1;
        }
        if rules.kind == RelationKind::Event {
            if counting.is_none() && r.holds[0].kind != 'w' {
                r.end = (evidence, evidence.max(r.hi));
                r.cause = EndCause::Stated(r.holds[0].id);
            }
            continue;
        }
        let cut = holds.iter().filter(|c| cuts(c, r) && c.lo <= latest).min_by_key(|c| cut_order(c)).cloned();
        if let Some(c) = holds.iter().filter(|c| covers(c, r)).min_by_key(|c| cut_order(c)) {
            r.cause = EndCause::Covered(c.id);
            r.end = (evidence, evidence.max(r.hi).min(latest));
            continue;
        }
        if let Some(c) = &cut {
            r.cause = EndCause::ClosedBy(c.id);
            r.end = (if c.kind == 'b' { evidence } else { c.lo.max(evidence) }, c.hi.min(latest));
        }
        // Rule 8's time to live.
        if let Some(at) = expiry(r) {
            let late = at.max(r.hi);
            match (&cut, counting) {
                (Some(c), _) if c.lo <= at => r.end.1 = r.end.1.min(late),
                (_, Some(_)) if cut.is_none() && late >= r.end.1 => {}
                (_, Some(_)) => (r.end, r.cause) = ((evidence, late.min(r.end.1)), EndCause::Expired),
                (_, None) => (r.end, r.cause) = ((at, late), EndCause::Expired),
            }
        }
    }
    // Rule 6: what a lower end says otherwise.
    for r in &mut found {
        let (lower, end) = (lower_ends(r.holds.iter().chain(&r.ends), r.rank()), r.end.0);
        r.challenged = challenge(&lower, end);
    }
    (found, orphans)
}

fn lower_ends<'a>(claims: impl Iterator<Item = &'a C>, rank: u8) -> Vec<(i64, i64, bool)> {
    claims.filter(|c| c.rank < rank).filter_map(|c| c.end).collect()
}

/// From where on ends that do not count speak against a run that held at least until `until`.
fn challenge(lower: &[(i64, i64, bool)], until: i64) -> Option<i64> {
    lower.iter().filter(|e| e.1 < until).map(|e| if e.2 { e.1 } else { e.0 }).min()
}
