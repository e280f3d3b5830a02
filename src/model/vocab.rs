//! The IRIs the memory itself speaks of. Knows no prefix mechanism beyond `xsd:`.

/// The namespace of the XML Schema datatypes.
pub const XSD: &str = "http://www.w3.org/2001/XMLSchema#";
/// A text; the datatype a literal has when it names none.
pub const XSD_STRING: &str = "http://www.w3.org/2001/XMLSchema#string";
/// A whole number of any size.
pub const XSD_INTEGER: &str = "http://www.w3.org/2001/XMLSchema#integer";
/// A number with a decimal point.
pub const XSD_DECIMAL: &str = "http://www.w3.org/2001/XMLSchema#decimal";
/// A number with an exponent.
pub const XSD_DOUBLE: &str = "http://www.w3.org/2001/XMLSchema#double";
/// True or false.
pub const XSD_BOOLEAN: &str = "http://www.w3.org/2001/XMLSchema#boolean";
/// A text in a language; the datatype a literal has when it names a language.
pub const RDF_LANG_STRING: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString";
