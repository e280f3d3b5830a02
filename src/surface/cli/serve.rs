//! `serve`: says where the server listens, and runs it until it is told to end. Knows no protocol.

use super::args::Serve;
use super::context::Context;
use super::fail::DONE;
use super::output::Screen;
use super::read::{Outcome, print_object};
use crate::surface::http::{Limits, ServeOptions, Server};
use crate::surface::transfer::{Envelope, SCHEMA};
use serde_json::json;

/// `serve --sparql`.
pub(super) fn serve(context: Context, screen: &mut Screen<'_>, asked: &Serve) -> Outcome {
    let limits = Limits {
        timeout: asked.timeout,
        rows: asked.limit,
        bytes: asked.max_bytes,
        read: asked.max_read,
        at_once: usize::from(asked.at_once),
        ..Limits::default()
    };
    let options = ServeOptions { address: asked.bind, allow_remote: asked.allow_remote, update: asked.update, limits };
    let server = Server::bind(context.memory, options)?;
    let address = server.address();
    if context.json {
        let body = json!({ "address": address.to_string(), "update": asked.update });
        print_object(screen, &Envelope { schema: SCHEMA, command: "serve", tenant: None, as_of: None, body })?;
    } else {
        let takes = if asked.update { "queries and updates" } else { "queries" };
        screen.line(&format!("takes {takes} at http://{address}/TENANT/sparql"))?;
    }
    screen.raw().flush()?;
    server.run()?;
    Ok(DONE)
}
