//! What a query makes without reading facts, made to count: rows that tables and subqueries are joined to, and texts that grow.
//!
//! Owns where that can happen and how it is told. The evaluator asks its dataset whether to go on only where it reads from it, so a product
//! of two subqueries would neither stop nor be counted. Such rows get a column that is never shown, whose value the dataset has to be asked
//! for; texts are put through functions that take only so many bytes. Knows no view.

#![expect(clippy::wildcard_enum_match_arm, reason = "functions and operators that make no text and hold no group are left as they are")]

use super::view::MAX_TEXT;
use oxrdf::{Literal, NamedNode, Term as RdfTerm, Variable, vocab::xsd};
use spareval::{AggregateFunctionAccumulator, QueryEvaluator};
use spargebra::Query;
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, Function, GraphPattern, OrderExpression};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The value of the column that counts rows: the dataset counts each time that it is asked for the node of this IRI.
pub(super) const ROW: &str = "erst:row";
/// `(text, most)`: the text where it has at most so many bytes.
const AT_MOST: &str = "erst:atMost";
/// The aggregate that joins texts, with the number of its separator behind it.
const JOINED: &str = "erst:joined";
/// The most bytes that one function may make on its way to a text, and that all `GROUP_CONCAT` of a query join.
const MAX_MADE: usize = 64 << 20;
/// The most bytes of a replacement that is computed.
const MAX_REPLACEMENT: usize = 512;
/// Arguments of `CONCAT` that may each be as long as a text.
const FEW_ARGUMENTS: usize = 8;

/// How long the first text was that was too long; nothing as long as none was.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlong(Arc<AtomicUsize>);

impl Overlong {
    fn meet(&self, bytes: usize) {
        self.0.fetch_max(bytes, Ordering::Relaxed);
    }

    pub(super) fn bytes(&self) -> Option<usize> {
        Some(self.0.load(Ordering::Relaxed)).filter(|bytes| *bytes > 0)
    }
}

/// What a query that is metered needs of its evaluator.
#[derive(Debug, Default)]
pub(super) struct Meter {
    columns: usize,
    separators: Vec<String>,
}

impl Meter {
    /// Makes everything in a query count that has to.
    pub(super) fn put(query: &mut Query) -> Self {
        let (Query::Select { pattern, .. }
        | Query::Construct { pattern, .. }
        | Query::Describe { pattern, .. }
        | Query::Ask { pattern, .. }) = query;
        let mut meter = Self::default();
        meter.pattern(pattern);
        meter
    }

    /// The evaluator with the functions that count.
    pub(super) fn equip(self, evaluator: QueryEvaluator, overlong: &Overlong) -> QueryEvaluator {
        let row = RdfTerm::from(NamedNode::new_unchecked(ROW));
        let too_long = overlong.clone();
        let mut evaluator = evaluator
            .with_custom_function(NamedNode::new_unchecked(ROW), move |_| Some(row.clone()))
            .with_custom_function(NamedNode::new_unchecked(AT_MOST), move |arguments| at_most(arguments, &too_long));
        let made = Arc::new(AtomicU64::new(0));
        for (number, separator) in self.separators.into_iter().enumerate() {
            let (made, overlong, separator) = (Arc::clone(&made), overlong.clone(), Arc::<str>::from(separator));
            evaluator = evaluator.with_custom_aggregate_function(aggregate_name(number), move || {
                let (made, overlong, separator) = (Arc::clone(&made), overlong.clone(), Arc::clone(&separator));
                Box::new(Joined { text: Some(String::new()), begun: false, separator, made, overlong })
            });
        }
        evaluator
    }

    fn pattern(&mut self, pattern: &mut GraphPattern) {
        match pattern {
            // What stands in a service is evaluated elsewhere.
            GraphPattern::Bgp { .. } | GraphPattern::Path { .. } | GraphPattern::Values { .. } | GraphPattern::Service { .. } => {}
            GraphPattern::Join { left, right } => {
                self.pattern(left);
                self.pattern(right);
                self.count_unless_read(left);
                self.count_unless_read(right);
                self.count(pattern);
            }
            GraphPattern::LeftJoin { left, right, expression } => {
                self.pattern(left);
                self.pattern(right);
                if let Some(expression) = expression {
                    self.expression(expression);
                }
                self.count_unless_read(left);
                self.count(pattern);
            }
            GraphPattern::Lateral { left, right } => {
                self.pattern(left);
                self.pattern(right);
                let is_product = !is_read(left) && !is_read(right);
                self.count_unless_read(left);
                if is_product {
                    self.count(pattern);
                }
            }
            GraphPattern::Union { left, right } => {
                self.pattern(left);
                self.pattern(right);
            }
            GraphPattern::Minus { left, right } => {
                self.pattern(left);
                self.pattern(right);
                self.count_unless_read(left);
            }
            GraphPattern::Filter { expr, inner } => {
                self.pattern(inner);
                self.expression(expr);
                if has_exists(expr) {
                    self.count_unless_read(inner);
                }
            }
            GraphPattern::Extend { inner, expression, .. } => {
                self.pattern(inner);
                self.expression(expression);
            }
            GraphPattern::OrderBy { inner, expression } => {
                self.pattern(inner);
                for order in expression {
                    let (OrderExpression::Asc(expression) | OrderExpression::Desc(expression)) = order;
                    self.expression(expression);
                }
            }
            GraphPattern::Group { inner, aggregates, .. } => {
                self.pattern(inner);
                for (_, aggregate) in aggregates {
                    self.aggregate(aggregate, inner);
                }
            }
            GraphPattern::Graph { inner, .. }
            | GraphPattern::Project { inner, .. }
            | GraphPattern::Distinct { inner }
            | GraphPattern::Reduced { inner }
            | GraphPattern::Slice { inner, .. } => self.pattern(inner),
        }
    }

    fn count_unless_read(&mut self, pattern: &mut GraphPattern) {
        if !is_read(pattern) {
            self.count(pattern);
        }
    }

    /// Gives the rows of a pattern a column that counts them. Each such column has a name of its own, since rows of equal columns would join.
    fn count(&mut self, pattern: &mut GraphPattern) {
        let variable = self.column();
        let inner = Box::new(std::mem::replace(pattern, GraphPattern::Bgp { patterns: Vec::new() }));
        *pattern = GraphPattern::Extend { inner, variable, expression: row() };
    }

    /// A variable that no text can name.
    fn column(&mut self) -> Variable {
        self.columns += 1;
        Variable::new_unchecked(format!("row {}", self.columns))
    }

    fn aggregate(&mut self, aggregate: &mut AggregateExpression, inner: &mut Box<GraphPattern>) {
        let AggregateExpression::FunctionCall { name, expr, distinct } = aggregate else { return };
        self.expression(expr);
        if *distinct && !is_short(expr) {
            // What is compared with all that came before is kept, and is to count as what a query keeps.
            let variable = self.column();
            let expression = std::mem::replace(expr, Expression::Variable(variable.clone()));
            let within = std::mem::replace(&mut **inner, GraphPattern::Bgp { patterns: Vec::new() });
            **inner = GraphPattern::Extend { inner: Box::new(within), variable, expression };
        }
        if let AggregateFunction::GroupConcat { separator } = name {
            let separator = separator.take().unwrap_or_else(|| " ".to_owned());
            *name = AggregateFunction::Custom(aggregate_name(self.separators.len()));
            self.separators.push(separator);
        }
    }

    fn expressions(&mut self, list: &mut [Expression]) {
        for expression in list {
            self.expression(expression);
        }
    }

    fn expression(&mut self, expression: &mut Expression) {
        match expression {
            Expression::NamedNode(_) | Expression::Literal(_) | Expression::Variable(_) | Expression::Bound(_) => {}
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
                self.expressions(list);
            }
            Expression::UnaryPlus(a) | Expression::UnaryMinus(a) | Expression::Not(a) => self.expression(a),
            Expression::Exists(pattern) => self.pattern(pattern),
            Expression::If(a, b, c) => {
                self.expression(a);
                self.expression(b);
                self.expression(c);
            }
            Expression::Coalesce(list) => self.expressions(list),
            Expression::FunctionCall(function, arguments) => {
                self.expressions(arguments);
                match function {
                    Function::Concat => bound_concatenation(arguments),
                    Function::Replace => bound_replacement(arguments),
                    _ => {}
                }
            }
        }
    }
}

fn row() -> Expression {
    Expression::FunctionCall(Function::Custom(NamedNode::new_unchecked(ROW)), Vec::new())
}

fn aggregate_name(number: usize) -> NamedNode {
    NamedNode::new_unchecked(format!("{JOINED}{number}"))
}

/// Whether each row of a pattern comes as a fact is read, or counts already.
fn is_read(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Bgp { patterns } => !patterns.is_empty(),
        GraphPattern::Path { .. } | GraphPattern::Join { .. } | GraphPattern::LeftJoin { .. } | GraphPattern::Lateral { .. } => true,
        GraphPattern::Values { .. } | GraphPattern::Group { .. } | GraphPattern::OrderBy { .. } | GraphPattern::Service { .. } => false,
        GraphPattern::Union { left, right } => is_read(left) && is_read(right),
        GraphPattern::Extend { inner, expression, .. } => *expression == row() || is_read(inner),
        GraphPattern::Minus { left: inner, .. }
        | GraphPattern::Filter { inner, .. }
        | GraphPattern::Graph { inner, .. }
        | GraphPattern::Project { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::Slice { inner, .. } => is_read(inner),
    }
}

fn has_exists(expression: &Expression) -> bool {
    match expression {
        Expression::Exists(_) => true,
        Expression::Not(inner) => has_exists(inner),
        Expression::And(a, b) | Expression::Or(a, b) => has_exists(a) || has_exists(b),
        _ => false,
    }
}

/// Whether an expression is a text that the query has, and not one that it makes.
fn is_short(expression: &Expression) -> bool {
    matches!(expression, Expression::Variable(_) | Expression::Literal(_) | Expression::NamedNode(_))
}

fn bound(expression: &mut Expression, most: usize) {
    let text = std::mem::replace(expression, Expression::Literal(Literal::from(false)));
    let most = Expression::Literal(Literal::from(most as u64));
    *expression = Expression::FunctionCall(Function::Custom(NamedNode::new_unchecked(AT_MOST)), vec![text, most]);
}

/// Lets the parts of a concatenation be as long as eight texts between them.
fn bound_concatenation(arguments: &mut [Expression]) {
    let most = MAX_TEXT * FEW_ARGUMENTS / arguments.len().max(1);
    for argument in arguments.iter_mut().filter(|argument| most < MAX_TEXT || !is_short(argument)) {
        bound(argument, most);
    }
}

/// Lets a text be so long that replacing all of it makes no more than [`MAX_MADE`]: each byte may become a replacement, and what a
/// replacement takes over of the text may be all of it.
fn bound_replacement(arguments: &mut [Expression]) {
    let [text, _, replacement, ..] = arguments else { return };
    let longest = if let Expression::Literal(replacement) = replacement {
        replacement.value().len()
    } else {
        bound(replacement, MAX_REPLACEMENT);
        MAX_REPLACEMENT
    };
    let most = MAX_MADE / (2 * longest + 1);
    if most < MAX_TEXT || !is_short(text) {
        bound(text, most.min(MAX_TEXT));
    }
}

fn at_most(arguments: &[RdfTerm], overlong: &Overlong) -> Option<RdfTerm> {
    let [text, RdfTerm::Literal(most)] = arguments else { return None };
    let RdfTerm::Literal(literal) = text else { return Some(text.clone()) };
    let bytes = literal.value().len();
    if bytes > most.value().parse().ok()? {
        overlong.meet(bytes);
        return None;
    }
    Some(text.clone())
}

/// `GROUP_CONCAT`: the texts of a group with a separator between them, as a plain text. What is no text leaves it without a value.
struct Joined {
    text: Option<String>,
    begun: bool,
    separator: Arc<str>,
    /// The bytes that all of the query's groups have joined so far.
    made: Arc<AtomicU64>,
    overlong: Overlong,
}

impl AggregateFunctionAccumulator for Joined {
    fn accumulate(&mut self, element: RdfTerm) {
        let Some(text) = &mut self.text else { return };
        let RdfTerm::Literal(literal) = &element else {
            self.text = None;
            return;
        };
        if literal.language().is_none() && literal.datatype() != xsd::STRING {
            self.text = None;
            return;
        }
        if self.begun {
            text.push_str(&self.separator);
        }
        self.begun = true;
        text.push_str(literal.value());
        let added = (literal.value().len() + self.separator.len()) as u64;
        let made = self.made.fetch_add(added, Ordering::Relaxed) + added;
        if text.len() > MAX_TEXT || made > MAX_MADE as u64 {
            self.overlong.meet(text.len().max(usize::try_from(made).unwrap_or(usize::MAX)));
            self.text = None;
        }
    }

    fn finish(&mut self) -> Option<RdfTerm> {
        self.text.take().map(|text| Literal::from(text).into())
    }
}
