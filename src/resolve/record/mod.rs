//! Record linkage: which of many structured records (of people, mostly) describe the same one.
//!
//! [`Schema`] says what the fields are, [`link`] compares records field by field, weighs each agreement by how often it is found
//! among records of one person and among those of different people, and joins what agrees. Nothing is trained: the weights are
//! estimated from the records themselves. Knows no file format and no truth to compare with.
//!
//! ```
//! use erstwhile::resolve::record::{LinkOptions, Schema, link};
//!
//! let schema = Schema::from_header(&["given_name", "surname", "date_of_birth", "postcode", "phone"]);
//! let rows = [
//!     ["Tilda", "Okafor", "1984-03-12", "4021", "555 0172"],
//!     ["Okafor", "Tilda", "1984-03-21", "4021", "555-0172"], // names the other way round, a day mistyped
//!     ["Bram", "Visser", "1991-07-02", "2203", "555 0119"],
//!     ["Ruth", "Okafor", "1984-09-30", "4021", "555 0143"],
//! ];
//! let linkage = link(&schema, &rows, &LinkOptions::default());
//! assert_eq!(linkage.clusters, [vec![0, 1], vec![2], vec![3]]);
//! println!("{}", linkage.evidence[0]); // which fields agreed, and what each of them weighed
//! ```

mod block;
mod cluster;
mod field;
mod model;

pub use cluster::{FieldEvidence, LinkOptions, Linkage, RecordEvidence, link};
pub use field::{Agreement, Field, FieldKind, Schema};
pub use model::{FieldModel, Model};
