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
/// An instant; the datatype of the bounds that a fact's reifier tells.
pub const XSD_DATE_TIME: &str = "http://www.w3.org/2001/XMLSchema#dateTime";
/// A length of time in days, hours, minutes and seconds.
pub const XSD_DAY_TIME_DURATION: &str = "http://www.w3.org/2001/XMLSchema#dayTimeDuration";

/// The namespace of RDF.
pub const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
/// From a thing to its class.
pub const RDF_TYPE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
/// From a reifier to the triple it speaks of.
pub const RDF_REIFIES: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies";
/// From an RDF 1.1 statement to its subject.
pub const RDF_SUBJECT: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#subject";
/// From an RDF 1.1 statement to its predicate.
pub const RDF_PREDICATE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#predicate";
/// From an RDF 1.1 statement to its object.
pub const RDF_OBJECT: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#object";
/// The namespace of RDF Schema.
pub const RDFS: &str = "http://www.w3.org/2000/01/rdf-schema#";
/// From an entity to the name it is shown by.
pub const RDFS_LABEL: &str = "http://www.w3.org/2000/01/rdf-schema#label";
/// The namespace of SKOS.
pub const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";
/// From an entity to another name it is known by.
pub const SKOS_ALT_LABEL: &str = "http://www.w3.org/2004/02/skos/core#altLabel";
/// The namespace of OWL.
pub const OWL: &str = "http://www.w3.org/2002/07/owl#";
/// The namespace of OWL-Time.
pub const TIME: &str = "http://www.w3.org/2006/time#";
/// From what lasts to the instant at which it begins.
pub const TIME_HAS_BEGINNING: &str = "http://www.w3.org/2006/time#hasBeginning";
/// From what lasts to the instant at which it ends.
pub const TIME_HAS_END: &str = "http://www.w3.org/2006/time#hasEnd";
/// From an instant to its date and time.
pub const TIME_IN_DATE_TIME: &str = "http://www.w3.org/2006/time#inXSDDateTimeStamp";
/// The class of instants.
pub const TIME_INSTANT: &str = "http://www.w3.org/2006/time#Instant";
/// The datatype of what [`TIME_IN_DATE_TIME`] tells.
pub const XSD_DATE_TIME_STAMP: &str = "http://www.w3.org/2001/XMLSchema#dateTimeStamp";
/// The namespace of PROV-O.
pub const PROV: &str = "http://www.w3.org/ns/prov#";
/// From a derived thing to what it was derived from.
pub const PROV_DERIVED_FROM: &str = "http://www.w3.org/ns/prov#wasDerivedFrom";
/// From a claim to the observation that says so.
pub const PROV_PRIMARY_SOURCE: &str = "http://www.w3.org/ns/prov#hadPrimarySource";
