//! The order in which the patterns of a group are joined, from our own counts.
//!
//! Owns the choice. The evaluator's optimiser guesses every pattern's size from its shape and reorders what is a plain join, so the order
//! is written as lateral joins, which it leaves as they are and evaluates by looking up each row in the indexes.

#![expect(clippy::wildcard_enum_match_arm, reason = "a pattern of any other kind is joined whole")]

use super::counts::{Counts, Slot};
use super::view::RdfView;
use oxrdf::Term as RdfTerm;
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};
use std::collections::BTreeSet;

/// A pattern of the plan, with the number of rows that are expected once it has been joined.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The pattern, as SPARQL.
    pub pattern: String,
    /// How many rows are expected after it.
    pub rows: f64,
    /// The group it stands in: steps of one group follow each other.
    pub group: usize,
}

/// Variables and blank nodes by name; a blank node begins with `_`.
type Names = BTreeSet<String>;

/// A query's groups with fewer rows to begin with than this are ordered without taking a sample.
const FEW_ROWS: f64 = 64.0;
/// Patterns in a group that are ordered from every one of them as the first.
const MANY: usize = 24;

/// Orders the groups of a query; the steps are in the order in which the groups stand.
pub(super) fn order(query: &mut Query, rdf: &RdfView) -> Vec<Step> {
    let (Query::Select { pattern, .. } | Query::Construct { pattern, .. } | Query::Describe { pattern, .. } | Query::Ask { pattern, .. }) =
        query;
    let mut orderer = Orderer { counts: Counts::new(rdf), steps: Vec::new(), groups: 0 };
    orderer.pattern(pattern, &Names::new());
    orderer.steps
}

struct Orderer<'a> {
    counts: Counts<'a>,
    steps: Vec<Step>,
    groups: usize,
}

/// One of the patterns that a group joins.
#[derive(Clone, Debug)]
struct Conjunct {
    pattern: GraphPattern,
    names: Names,
    /// A triple, a path or a table can be looked up row by row; other patterns are joined whole.
    by_row: bool,
}

impl Orderer<'_> {
    fn pattern(&mut self, pattern: &mut GraphPattern, bound: &Names) {
        match pattern {
            GraphPattern::Bgp { .. } | GraphPattern::Join { .. } | GraphPattern::Path { .. } => self.group(pattern, bound),
            GraphPattern::Graph { inner, .. } if is_flat(inner) && !is_empty(inner) => self.group(pattern, bound),
            GraphPattern::LeftJoin { left, right, expression } => {
                let known = self.before(left, right, bound);
                if let Some(expression) = expression {
                    self.expression(expression, &known);
                }
            }
            GraphPattern::Lateral { left, right } => {
                self.before(left, right, bound);
            }
            GraphPattern::Union { left, right } => {
                self.pattern(left, bound);
                self.pattern(right, bound);
            }
            GraphPattern::Minus { left, right } => {
                self.pattern(left, bound);
                self.pattern(right, &Names::new());
            }
            GraphPattern::Filter { expr, inner } => {
                self.pattern(inner, bound);
                let known = names_of(inner);
                self.expression(expr, &known);
            }
            GraphPattern::Graph { inner, .. }
            | GraphPattern::Extend { inner, .. }
            | GraphPattern::OrderBy { inner, .. }
            | GraphPattern::Distinct { inner }
            | GraphPattern::Reduced { inner }
            | GraphPattern::Slice { inner, .. } => self.pattern(inner, bound),
            // A subquery sees nothing of what is bound around it.
            GraphPattern::Project { inner, .. } | GraphPattern::Group { inner, .. } => self.pattern(inner, &Names::new()),
            GraphPattern::Values { .. } | GraphPattern::Service { .. } => {}
        }
    }

    /// Orders two patterns of which the second is asked for each row of the first; what is bound by then.
    fn before(&mut self, left: &mut GraphPattern, right: &mut GraphPattern, bound: &Names) -> Names {
        self.pattern(left, bound);
        let mut known = names_of(left);
        known.extend(bound.iter().cloned());
        self.pattern(right, &known);
        known
    }

    /// Orders the groups of `EXISTS`, which are asked for each row.
    fn expression(&mut self, expression: &mut Expression, bound: &Names) {
        match expression {
            Expression::Exists(pattern) => self.pattern(pattern, bound),
            Expression::Not(inner) => self.expression(inner, bound),
            Expression::And(a, b) | Expression::Or(a, b) => {
                self.expression(a, bound);
                self.expression(b, bound);
            }
            _ => {}
        }
    }

    fn group(&mut self, pattern: &mut GraphPattern, bound: &Names) {
        let mut conjuncts = Vec::new();
        flatten(std::mem::replace(pattern, GraphPattern::Bgp { patterns: Vec::new() }), None, &mut conjuncts);
        let (by_row, mut whole): (Vec<Conjunct>, Vec<Conjunct>) = conjuncts.into_iter().partition(|conjunct| conjunct.by_row);
        for conjunct in &mut whole {
            self.pattern(&mut conjunct.pattern, &Names::new());
        }
        let chain = self.chain(&by_row, bound);
        let known = by_row.iter().flat_map(|conjunct| conjunct.names.iter().cloned()).collect();
        let all = chain.into_iter().chain(connected(whole, known).into_iter().map(|conjunct| conjunct.pattern));
        let joined = all.reduce(|left, right| GraphPattern::Join { left: Box::new(left), right: Box::new(right) });
        if let Some(joined) = joined {
            *pattern = joined;
        }
    }

    /// The patterns one after the other, each looked up for the rows of those before it.
    fn chain(&mut self, conjuncts: &[Conjunct], bound: &Names) -> Option<GraphPattern> {
        self.groups += 1;
        if conjuncts.len() > 1 && !self.is_small(conjuncts, bound) {
            self.counts.take_sample();
        }
        let firsts = if conjuncts.len() > MANY { 1 } else { conjuncts.len().max(1) };
        let orders = (0..firsts).map(|first| self.greedy(conjuncts, bound, first));
        let best = orders.reduce(|best, other| if other.cost < best.cost { other } else { best })?;
        for (at, rows) in &best.steps {
            if let Some(conjunct) = conjuncts.get(*at) {
                self.steps.push(Step { pattern: conjunct.pattern.to_string(), rows: *rows, group: self.groups });
            }
        }
        let ordered = best.steps.iter().filter_map(|(at, _)| conjuncts.get(*at)).map(|conjunct| conjunct.pattern.clone());
        ordered.reduce(|left, right| GraphPattern::Lateral { left: Box::new(left), right: Box::new(right) })
    }

    /// Whether some pattern begins with so few rows that the others' order hardly matters.
    fn is_small(&mut self, conjuncts: &[Conjunct], bound: &Names) -> bool {
        let fewest = conjuncts.iter().map(|conjunct| self.rows(conjunct, bound)).fold(f64::INFINITY, f64::min);
        fewest <= FEW_ROWS && conjuncts.len() <= 6
    }

    /// From one pattern on, always the one that leaves the fewest rows, of those that share a variable with the ones before.
    fn greedy(&mut self, conjuncts: &[Conjunct], bound: &Names, first: usize) -> Order {
        let mut known = bound.clone();
        let mut left: Vec<usize> = (0..conjuncts.len()).collect();
        let mut order = Order { steps: Vec::with_capacity(left.len()), cost: 0.0 };
        let (mut rows, mut next) = (1.0, Some(first).filter(|_| conjuncts.len() <= MANY));
        while !left.is_empty() {
            let choice = match next.take() {
                Some(first) => conjuncts.get(first).map(|conjunct| (first, self.rows(conjunct, &known))),
                None => self.cheapest(conjuncts, &left, &known),
            };
            let Some((at, matches)) = choice else { break };
            left.retain(|other| *other != at);
            // Looking up a row costs about as much as two matches do.
            order.cost += rows * (matches + 2.0);
            rows *= matches;
            order.steps.push((at, rows));
            known.extend(conjuncts.get(at).into_iter().flat_map(|conjunct| conjunct.names.iter().cloned()));
        }
        order
    }

    fn cheapest(&mut self, conjuncts: &[Conjunct], left: &[usize], known: &Names) -> Option<(usize, f64)> {
        let mut best: Option<(bool, f64, usize)> = None;
        for at in left {
            let conjunct = conjuncts.get(*at)?;
            let is_apart = !known.is_empty() && conjunct.names.is_disjoint(known) && !conjunct.names.is_empty();
            let matches = self.rows(conjunct, known);
            if best.is_none_or(|(apart, fewest, _)| (is_apart, matches) < (apart, fewest)) {
                best = Some((is_apart, matches, *at));
            }
        }
        best.map(|(_, matches, at)| (at, matches))
    }

    fn rows(&mut self, conjunct: &Conjunct, known: &Names) -> f64 {
        match &conjunct.pattern {
            GraphPattern::Graph { inner, .. } => self.rows_of(inner, known),
            pattern => self.rows_of(pattern, known),
        }
    }

    fn rows_of(&mut self, pattern: &GraphPattern, known: &Names) -> f64 {
        match pattern {
            GraphPattern::Bgp { patterns } => patterns.iter().map(|triple| self.matches(triple, known)).product(),
            GraphPattern::Path { subject, object, .. } => {
                let (subject, object) = (self.slot(subject, known), self.slot(object, known));
                self.counts.path(&subject, &object)
            }
            GraphPattern::Values { bindings, .. } => f64::from(u32::try_from(bindings.len()).unwrap_or(u32::MAX)),
            _ => 1e9,
        }
    }

    fn matches(&mut self, triple: &TriplePattern, known: &Names) -> f64 {
        let subject = self.slot(&triple.subject, known);
        let predicate = match &triple.predicate {
            NamedNodePattern::NamedNode(node) => self.counts.given(&node.clone().into()).unwrap_or(Slot::Free),
            NamedNodePattern::Variable(variable) => named(known, variable.as_str()),
        };
        let object = self.slot(&triple.object, known);
        self.counts.matches(&subject, &predicate, &object)
    }

    fn slot(&self, term: &TermPattern, known: &Names) -> Slot {
        let given = match term {
            TermPattern::NamedNode(node) => RdfTerm::from(node.clone()),
            TermPattern::Literal(literal) => literal.clone().into(),
            TermPattern::Variable(variable) => return named(known, variable.as_str()),
            TermPattern::BlankNode(node) => return named(known, &format!("_{}", node.as_str())),
            TermPattern::Triple(triple) => {
                let mut names = Names::new();
                add_triple(triple, &mut names);
                return if names.is_subset(known) { Slot::Bound } else { Slot::Free };
            }
        };
        self.counts.given(&given).unwrap_or(Slot::Free)
    }
}

/// An order of a group's patterns: the place of each and the rows after it, and what all of it costs.
struct Order {
    steps: Vec<(usize, f64)>,
    cost: f64,
}

/// Patterns that are joined whole, in their own order but for those that share nothing with the ones before.
fn connected(mut left: Vec<Conjunct>, mut known: Names) -> Vec<Conjunct> {
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let next = left.iter().position(|conjunct| !conjunct.names.is_disjoint(&known)).unwrap_or_default();
        let next = left.remove(next);
        known.extend(next.names.iter().cloned());
        ordered.push(next);
    }
    ordered
}

fn named(known: &Names, name: &str) -> Slot {
    if known.contains(name) { Slot::Bound } else { Slot::Free }
}

/// Whether a graph's group is joined triple by triple.
fn is_flat(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Bgp { .. } | GraphPattern::Path { .. } => true,
        GraphPattern::Join { left, right } => is_flat(left) && is_flat(right),
        _ => false,
    }
}

/// The patterns that a join joins, each in its graph.
fn flatten(pattern: GraphPattern, graph: Option<&NamedNodePattern>, found: &mut Vec<Conjunct>) {
    let within = |pattern: GraphPattern| match graph {
        Some(name) => GraphPattern::Graph { name: name.clone(), inner: Box::new(pattern) },
        None => pattern,
    };
    match pattern {
        GraphPattern::Join { left, right } => {
            flatten(*left, graph, found);
            flatten(*right, graph, found);
        }
        GraphPattern::Bgp { patterns } => {
            for triple in patterns {
                let pattern = within(GraphPattern::Bgp { patterns: vec![triple] });
                found.push(Conjunct { names: names_of(&pattern), pattern, by_row: true });
            }
        }
        pattern @ GraphPattern::Path { .. } => {
            let pattern = within(pattern);
            found.push(Conjunct { names: names_of(&pattern), pattern, by_row: true });
        }
        GraphPattern::Graph { name, inner } if graph.is_none() && is_flat(&inner) && !is_empty(&inner) => {
            flatten(*inner, Some(&name), found);
        }
        pattern => {
            // A table stands by itself: it is joined whole where it is not the first.
            let by_row = matches!(&pattern, GraphPattern::Values { variables, bindings } if is_full(variables.len(), bindings));
            let pattern = within(pattern);
            found.push(Conjunct { names: names_of(&pattern), pattern, by_row });
        }
    }
}

/// Whether every row of a table has a value for every variable, so that it can be looked up.
fn is_full<T>(variables: usize, bindings: &[Vec<Option<T>>]) -> bool {
    bindings.iter().all(|row| row.len() == variables && row.iter().all(Option::is_some))
}

fn is_empty(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Bgp { patterns } => patterns.is_empty(),
        GraphPattern::Join { left, right } => is_empty(left) && is_empty(right),
        _ => false,
    }
}

fn add_term(term: &TermPattern, names: &mut Names) {
    match term {
        TermPattern::Variable(variable) => {
            names.insert(variable.as_str().to_owned());
        }
        TermPattern::BlankNode(node) => {
            names.insert(format!("_{}", node.as_str()));
        }
        TermPattern::Triple(triple) => add_triple(triple, names),
        TermPattern::NamedNode(_) | TermPattern::Literal(_) => {}
    }
}

fn add_node(node: &NamedNodePattern, names: &mut Names) {
    if let NamedNodePattern::Variable(variable) = node {
        names.insert(variable.as_str().to_owned());
    }
}

fn add_triple(triple: &TriplePattern, names: &mut Names) {
    add_term(&triple.subject, names);
    add_node(&triple.predicate, names);
    add_term(&triple.object, names);
}

/// The variables and blank nodes that a pattern may bind.
fn names_of(pattern: &GraphPattern) -> Names {
    let mut names = Names::new();
    add_names(pattern, &mut names);
    names
}

fn add_names(pattern: &GraphPattern, names: &mut Names) {
    match pattern {
        GraphPattern::Bgp { patterns } => {
            for triple in patterns {
                add_triple(triple, names);
            }
        }
        GraphPattern::Path { subject, object, .. } => {
            add_term(subject, names);
            add_term(object, names);
        }
        GraphPattern::Join { left, right }
        | GraphPattern::Lateral { left, right }
        | GraphPattern::Union { left, right }
        | GraphPattern::LeftJoin { left, right, .. } => {
            add_names(left, names);
            add_names(right, names);
        }
        GraphPattern::Minus { left, .. } => add_names(left, names),
        GraphPattern::Graph { name, inner } => {
            add_node(name, names);
            add_names(inner, names);
        }
        GraphPattern::Extend { inner, variable, .. } => {
            names.insert(variable.as_str().to_owned());
            add_names(inner, names);
        }
        GraphPattern::Project { variables, .. } | GraphPattern::Values { variables, .. } => {
            names.extend(variables.iter().map(|variable| variable.as_str().to_owned()));
        }
        GraphPattern::Group { variables, aggregates, .. } => {
            let computed = aggregates.iter().map(|(variable, _)| variable);
            names.extend(variables.iter().chain(computed).map(|variable| variable.as_str().to_owned()));
        }
        GraphPattern::Filter { inner, .. }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. }
        | GraphPattern::Service { inner, .. } => add_names(inner, names),
    }
}
