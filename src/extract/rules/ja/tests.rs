//! Tests of the whole grammar.
