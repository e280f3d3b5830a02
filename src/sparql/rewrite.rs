//! A walk over a query's algebra: parameters put in as terms, `NOW()` as the instant given, and what the query asks for outside its patterns.
//!
//! Owns the walk. Knows no view.

use oxrdf::{Literal, Term as RdfTerm, Variable};
use rustc_hash::FxHashMap;
use spargebra::Query;
use spargebra::algebra::{AggregateExpression, Expression, Function, GraphPattern, OrderExpression};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern, TriplePattern};
use std::collections::BTreeSet;

/// What is put into a query in place of variables and of `NOW()`.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    pub(super) terms: FxHashMap<Variable, RdfTerm>,
    /// The same as answers have them, for what compares and projects: a name that is given may be spelt otherwise.
    pub(super) answered: FxHashMap<Variable, RdfTerm>,
    pub(super) now: Option<Literal>,
    /// The custom functions that were met, by IRI.
    pub(super) functions: BTreeSet<String>,
}

impl Given {
    /// Puts what is given into a query.
    pub(super) fn put(&mut self, query: &mut Query) {
        let pattern = match query {
            Query::Construct { template, pattern, .. } => {
                for triple in template {
                    self.triple(triple);
                }
                pattern
            }
            Query::Select { pattern, .. } | Query::Describe { pattern, .. } | Query::Ask { pattern, .. } => pattern,
        };
        self.pattern(pattern);
    }

    fn pattern(&mut self, pattern: &mut GraphPattern) {
        match pattern {
            GraphPattern::Bgp { patterns } => {
                for triple in patterns {
                    self.triple(triple);
                }
            }
            GraphPattern::Path { subject, object, .. } => {
                self.term(subject);
                self.term(object);
            }
            GraphPattern::Join { left, right }
            | GraphPattern::Lateral { left, right }
            | GraphPattern::Minus { left, right }
            | GraphPattern::Union { left, right } => {
                self.pattern(left);
                self.pattern(right);
            }
            GraphPattern::LeftJoin { left, right, expression } => {
                self.pattern(left);
                self.pattern(right);
                if let Some(expression) = expression {
                    self.expression(expression);
                }
            }
            GraphPattern::Filter { expr, inner } => {
                self.expression(expr);
                self.pattern(inner);
            }
            GraphPattern::Graph { name, inner } | GraphPattern::Service { name, inner, .. } => {
                self.node(name);
                self.pattern(inner);
            }
            GraphPattern::Extend { inner, variable, expression } => {
                self.pattern(inner);
                self.expression(expression);
                if let Some(term) = self.answered.get(variable) {
                    // A parameter that the query computes is a condition on it.
                    let given = Expression::SameTerm(Box::new(constant(term)), Box::new(expression.clone()));
                    let inner = std::mem::replace(&mut **inner, GraphPattern::Bgp { patterns: Vec::new() });
                    *pattern = GraphPattern::Filter { expr: given, inner: Box::new(inner) };
                }
            }
            GraphPattern::Values { variables, bindings } => self.values(variables, bindings),
            GraphPattern::OrderBy { inner, expression } => {
                self.pattern(inner);
                for order in expression {
                    match order {
                        OrderExpression::Asc(expression) | OrderExpression::Desc(expression) => self.expression(expression),
                    }
                }
            }
            GraphPattern::Project { inner, variables } => {
                self.pattern(inner);
                self.keep(inner, variables);
            }
            GraphPattern::Distinct { inner } | GraphPattern::Reduced { inner } | GraphPattern::Slice { inner, .. } => self.pattern(inner),
            GraphPattern::Group { inner, variables, aggregates } => {
                self.pattern(inner);
                self.keep(inner, variables);
                for (_, aggregate) in aggregates {
                    if let AggregateExpression::FunctionCall { expr, .. } = aggregate {
                        self.expression(expr);
                    }
                }
            }
        }
    }

    /// Lets parameters that are projected or grouped by have their values there.
    fn keep(&self, inner: &mut Box<GraphPattern>, variables: &[Variable]) {
        for (variable, term) in variables.iter().filter_map(|variable| self.answered.get(variable).map(|term| (variable, term))) {
            let within = std::mem::replace(&mut **inner, GraphPattern::Bgp { patterns: Vec::new() });
            let expression = constant(term);
            **inner = GraphPattern::Extend { inner: Box::new(within), variable: variable.clone(), expression };
        }
    }

    /// Leaves of a table the rows that have a parameter's value, and the columns that are none.
    fn values(&self, variables: &mut Vec<Variable>, bindings: &mut Vec<Vec<Option<GroundTerm>>>) {
        for at in (0..variables.len()).rev() {
            let Some(term) = variables.get(at).and_then(|variable| self.terms.get(variable)) else { continue };
            variables.remove(at);
            bindings.retain(|row| row.get(at).is_none_or(|value| value.as_ref().is_none_or(|value| is_term(value, term))));
            for row in bindings.iter_mut().filter(|row| at < row.len()) {
                row.remove(at);
            }
        }
    }

    fn triple(&self, triple: &mut TriplePattern) {
        self.term(&mut triple.subject);
        self.node(&mut triple.predicate);
        self.term(&mut triple.object);
    }

    fn term(&self, pattern: &mut TermPattern) {
        match pattern {
            TermPattern::Variable(variable) => {
                if let Some(term) = self.terms.get(variable) {
                    *pattern = term.clone().into();
                }
            }
            TermPattern::Triple(triple) => self.triple(triple),
            TermPattern::NamedNode(_) | TermPattern::BlankNode(_) | TermPattern::Literal(_) => {}
        }
    }

    /// A predicate or a graph's name. That what is given for one is an IRI has been checked.
    fn node(&self, pattern: &mut NamedNodePattern) {
        if let NamedNodePattern::Variable(variable) = pattern
            && let Some(RdfTerm::NamedNode(node)) = self.terms.get(variable)
        {
            *pattern = node.clone().into();
        }
    }

    fn expression(&mut self, expression: &mut Expression) {
        match expression {
            Expression::NamedNode(_) | Expression::Literal(_) => {}
            Expression::Variable(variable) => {
                if let Some(term) = self.answered.get(variable) {
                    *expression = constant(term);
                }
            }
            Expression::Bound(variable) => {
                if self.terms.contains_key(variable) {
                    *expression = Expression::Literal(true.into());
                }
            }
            Expression::Or(a, b)
            | Expression::And(a, b)
            | Expression::Equal(a, b)
            | Expression::SameTerm(a, b)
            | Expression::Greater(a, b)
            | Expression::GreaterOrEqual(a, b)
            | Expression::Less(a, b)
            | Expression::LessOrEqual(a, b)
            | Expression::Add(a, b)
            | Expression::Subtract(a, b)
            | Expression::Multiply(a, b)
            | Expression::Divide(a, b) => {
                self.expression(a);
                self.expression(b);
            }
            Expression::In(a, list) => {
                self.expression(a);
                for item in list {
                    self.expression(item);
                }
            }
            Expression::UnaryPlus(a) | Expression::UnaryMinus(a) | Expression::Not(a) => self.expression(a),
            Expression::Exists(pattern) => self.pattern(pattern),
            Expression::If(a, b, c) => {
                self.expression(a);
                self.expression(b);
                self.expression(c);
            }
            Expression::Coalesce(list) => {
                for item in list {
                    self.expression(item);
                }
            }
            Expression::FunctionCall(function, arguments) => {
                for argument in arguments.iter_mut() {
                    self.expression(argument);
                }
                match (&*function, &self.now) {
                    (Function::Now, Some(now)) => *expression = Expression::Literal(now.clone()),
                    (Function::Custom(iri), _) => {
                        self.functions.insert(iri.as_str().to_owned());
                    }
                    _ => {}
                }
            }
        }
    }
}

/// A term as an expression.
fn constant(term: &RdfTerm) -> Expression {
    match term {
        RdfTerm::NamedNode(node) => Expression::NamedNode(node.clone()),
        RdfTerm::Literal(literal) => Expression::Literal(literal.clone()),
        RdfTerm::BlankNode(node) => Expression::FunctionCall(Function::BNode, vec![Expression::Literal(Literal::from(node.as_str()))]),
        RdfTerm::Triple(triple) => Expression::FunctionCall(
            Function::Triple,
            vec![constant(&triple.subject.clone().into()), Expression::NamedNode(triple.predicate.clone()), constant(&triple.object)],
        ),
    }
}

fn is_term(value: &GroundTerm, term: &RdfTerm) -> bool {
    RdfTerm::from(value.clone()) == *term
}

/// Where a query's variable stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Where any term may.
    Term,
    /// Somewhere as a predicate, a graph or a service, where only an IRI may.
    Iri,
}

/// Where a variable stands in a query; `None` if nowhere.
pub(super) fn role(query: &Query, variable: &Variable) -> Option<Role> {
    let mut probe = Probe { variable, found: None };
    match query {
        Query::Construct { template, pattern, .. } => {
            for triple in template {
                probe.triple(triple);
            }
            probe.pattern(pattern);
        }
        Query::Select { pattern, .. } | Query::Describe { pattern, .. } | Query::Ask { pattern, .. } => probe.pattern(pattern),
    }
    probe.found
}

struct Probe<'a> {
    variable: &'a Variable,
    found: Option<Role>,
}

impl Probe<'_> {
    fn meet(&mut self, variable: &Variable, role: Role) {
        if variable == self.variable && self.found != Some(Role::Iri) {
            self.found = Some(role);
        }
    }

    fn triple(&mut self, triple: &TriplePattern) {
        self.term(&triple.subject);
        self.node(&triple.predicate);
        self.term(&triple.object);
    }

    fn term(&mut self, term: &TermPattern) {
        match term {
            TermPattern::Variable(variable) => self.meet(variable, Role::Term),
            TermPattern::Triple(triple) => self.triple(triple),
            TermPattern::NamedNode(_) | TermPattern::BlankNode(_) | TermPattern::Literal(_) => {}
        }
    }

    fn node(&mut self, node: &NamedNodePattern) {
        if let NamedNodePattern::Variable(variable) = node {
            self.meet(variable, Role::Iri);
        }
    }

    fn pattern(&mut self, pattern: &GraphPattern) {
        match pattern {
            GraphPattern::Bgp { patterns } => {
                for triple in patterns {
                    self.triple(triple);
                }
            }
            GraphPattern::Path { subject, object, .. } => {
                self.term(subject);
                self.term(object);
            }
            GraphPattern::Graph { name, inner } | GraphPattern::Service { name, inner, .. } => {
                self.node(name);
                self.pattern(inner);
            }
            GraphPattern::Join { left, right }
            | GraphPattern::Lateral { left, right }
            | GraphPattern::Minus { left, right }
            | GraphPattern::Union { left, right } => {
                self.pattern(left);
                self.pattern(right);
            }
            GraphPattern::LeftJoin { left, right, expression } => {
                self.pattern(left);
                self.pattern(right);
                if let Some(expression) = expression {
                    self.expression(expression);
                }
            }
            GraphPattern::Filter { expr, inner } => {
                self.expression(expr);
                self.pattern(inner);
            }
            GraphPattern::Extend { inner, variable, expression } => {
                self.meet(variable, Role::Term);
                self.expression(expression);
                self.pattern(inner);
            }
            GraphPattern::Values { variables, .. } => {
                for variable in variables {
                    self.meet(variable, Role::Term);
                }
            }
            GraphPattern::OrderBy { inner, expression } => {
                for order in expression {
                    match order {
                        OrderExpression::Asc(expression) | OrderExpression::Desc(expression) => self.expression(expression),
                    }
                }
                self.pattern(inner);
            }
            GraphPattern::Project { inner, variables } => {
                for variable in variables {
                    self.meet(variable, Role::Term);
                }
                self.pattern(inner);
            }
            GraphPattern::Group { inner, variables, aggregates } => {
                for variable in variables {
                    self.meet(variable, Role::Term);
                }
                for (_, aggregate) in aggregates {
                    if let AggregateExpression::FunctionCall { expr, .. } = aggregate {
                        self.expression(expr);
                    }
                }
                self.pattern(inner);
            }
            GraphPattern::Distinct { inner } | GraphPattern::Reduced { inner } | GraphPattern::Slice { inner, .. } => self.pattern(inner),
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::NamedNode(_) | Expression::Literal(_) => {}
            Expression::Variable(variable) | Expression::Bound(variable) => self.meet(variable, Role::Term),
            Expression::Or(a, b)
            | Expression::And(a, b)
            | Expression::Equal(a, b)
            | Expression::SameTerm(a, b)
            | Expression::Greater(a, b)
            | Expression::GreaterOrEqual(a, b)
            | Expression::Less(a, b)
            | Expression::LessOrEqual(a, b)
            | Expression::Add(a, b)
            | Expression::Subtract(a, b)
            | Expression::Multiply(a, b)
            | Expression::Divide(a, b) => {
                self.expression(a);
                self.expression(b);
            }
            Expression::In(a, list) => {
                self.expression(a);
                for item in list {
                    self.expression(item);
                }
            }
            Expression::UnaryPlus(a) | Expression::UnaryMinus(a) | Expression::Not(a) => self.expression(a),
            Expression::Exists(pattern) => self.pattern(pattern),
            Expression::If(a, b, c) => {
                self.expression(a);
                self.expression(b);
                self.expression(c);
            }
            Expression::Coalesce(list) | Expression::FunctionCall(_, list) => {
                for item in list {
                    self.expression(item);
                }
            }
        }
    }
}
