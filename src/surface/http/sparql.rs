//! The protocol: a request for a query, an update, a description or statistics, taken apart and answered.
//!
//! Owns which methods, types and fields there are. Knows no status beyond those of the protocol, and no thread.

use super::describe;
use super::negotiate::{Accept, Format};
use super::refusal::Refusal;
use super::request::{Fields, check_origin, media_type};
use super::work::Desk;
use super::{ServeOptions, Serving};
use crate::graph::View;
use crate::memory::{Tenant, TenantId, UpdateRequest};
use crate::sparql::{HISTORY, META, Position, Query, QueryOptions, RdfView, TextLimits};
use crate::surface::transfer::{self, Envelope, SCHEMA};
use crate::time::{AsOf, Zone, parse_span};
use axum::body::{Body, to_bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::Response;
use oxrdf::NamedNode;
use std::io::Write;
use std::sync::Arc;
use tokio::time::timeout;

const FORM: &str = "application/x-www-form-urlencoded";
const QUERY: &str = "application/sparql-query";
const UPDATE: &str = "application/sparql-update";

/// What a request asks for.
#[derive(Debug, PartialEq, Eq)]
enum Asked {
    Query(String),
    Update(String),
    Description,
}

/// A request that has been read.
#[derive(Debug)]
struct Asking {
    tenant: String,
    fields: Fields,
    accept: Accept,
    /// The name that the client knows this server by.
    host: String,
}

/// `/TENANT/sparql`: queries, updates, and without either what the service can do.
pub(super) async fn endpoint(
    State(serving): State<Arc<Serving>>,
    Path(tenant): Path<String>,
    request: Request,
) -> Result<Response, Refusal> {
    let (asking, asked) = read(&serving, tenant, request).await?;
    match asked {
        Asked::Query(text) => query(serving, asking, text).await,
        Asked::Update(text) => update(serving, asking, text).await,
        Asked::Description => {
            let options = serving.options;
            let about = Arc::clone(&serving);
            serving.workshop.answer(move |desk| description(&about, options, &asking, desk)).await
        }
    }
}

/// `/TENANT/update`: updates alone.
pub(super) async fn update_endpoint(
    State(serving): State<Arc<Serving>>,
    Path(tenant): Path<String>,
    request: Request,
) -> Result<Response, Refusal> {
    let (asking, asked) = read(&serving, tenant, request).await?;
    match asked {
        Asked::Update(text) => update(serving, asking, text).await,
        Asked::Query(_) | Asked::Description => {
            let text = format!("updates are sent here by POST, as the field `update` of a form or as {UPDATE}");
            Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, text).with(header::ALLOW, "POST"))
        }
    }
}

/// `/TENANT/void`: how many triples there are.
pub(super) async fn void_endpoint(
    State(serving): State<Arc<Serving>>,
    Path(tenant): Path<String>,
    request: Request,
) -> Result<Response, Refusal> {
    let (asking, asked) = read(&serving, tenant, request).await?;
    if asked != Asked::Description {
        return Err(Refusal::bad("nothing is asked here: /TENANT/sparql takes queries"));
    }
    let about = Arc::clone(&serving);
    serving
        .workshop
        .answer(move |desk| {
            let (view, options) = view(&about, &asking, None, desk)?;
            let (format, media) = asking.accept.graph()?;
            let triples = describe::statistics(&asking.endpoint()?, &view, &options)?;
            describe::write(&triples, format, desk.begin(media)?)
        })
        .await
}

/// Reads a request: its fields out of its address and its body, and the text that it sends.
async fn read(serving: &Serving, tenant: String, request: Request) -> Result<(Asking, Asked), Refusal> {
    let (parts, body) = request.into_parts();
    check_origin(&parts.headers, !serving.options.allow_remote)?;
    let mut fields = Fields::default();
    fields.add(parts.uri.query().unwrap_or_default())?;
    let is_post = parts.method == Method::POST;
    let mut sent = None;
    if is_post {
        let media = media_type(&parts.headers);
        // A byte of a text is at most three of a form, whose other fields are short.
        let limit = if media == FORM { 4 * TextLimits::default().bytes } else { TextLimits::default().bytes };
        if ![FORM, QUERY, UPDATE].contains(&media.as_str()) {
            let text = format!("{media:?} is no type of a query or an update: send {FORM}, {QUERY} or {UPDATE}");
            return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, text));
        }
        let body = body_text(serving, &parts.headers, body, limit).await?;
        match media.as_str() {
            QUERY => sent = Some(Asked::Query(body)),
            UPDATE => sent = Some(Asked::Update(body)),
            _ => fields.add(&body)?,
        }
    } else if parts.method != Method::GET && parts.method != Method::HEAD {
        let text = format!("{} is not understood here: GET and POST are", parts.method);
        return Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, text).with(header::ALLOW, "GET, HEAD, POST"));
    }
    let asked = match (sent, fields.one("query")?, fields.one("update")?) {
        (Some(_), Some(_), _) | (Some(_), _, Some(_)) | (None, Some(_), Some(_)) => {
            return Err(Refusal::bad("more than one query or update is sent"));
        }
        (Some(sent), None, None) => sent,
        (None, Some(query), None) => Asked::Query(query.to_owned()),
        (None, None, Some(_)) if !is_post => {
            let text = "an update is sent by POST";
            return Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, text).with(header::ALLOW, "POST"));
        }
        (None, None, Some(update)) => Asked::Update(update.to_owned()),
        (None, None, None) if is_post => return Err(Refusal::bad("the form has neither the field `query` nor `update`")),
        (None, None, None) => Asked::Description,
    };
    let host = parts.headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost").to_owned();
    Ok((Asking { tenant, fields, accept: Accept::of(&parts.headers), host }, asked))
}

/// The body of a request, as a text of at most so many bytes, in as long as a request may take.
async fn body_text(serving: &Serving, headers: &HeaderMap, body: Body, limit: usize) -> Result<String, Refusal> {
    let too_long = || Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, format!("the request has more than {limit} bytes"));
    let told: Option<u64> = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if told.is_some_and(|length| length > limit as u64) {
        return Err(too_long());
    }
    let late =
        |_late| Refusal::new(StatusCode::REQUEST_TIMEOUT, format!("the request did not come within {:?}", serving.options.limits.timeout));
    let bytes = timeout(serving.options.limits.timeout, to_bytes(body, limit)).await.map_err(late)?.map_err(|_long| too_long())?;
    String::from_utf8(bytes.into()).map_err(|error| Refusal::bad(format!("the request is no UTF-8: {error}")))
}

impl Asking {
    /// The address of the tenant's endpoint.
    fn endpoint(&self) -> Result<NamedNode, Refusal> {
        let tenant = crate::sparql::terms::encode("", &self.tenant);
        let iri = format!("http://{}/{tenant}/sparql", self.host);
        NamedNode::new(&iri).map_err(|error| Refusal::field("host", &self.host, error))
    }
}

/// The tenant that is asked; one that does not exist is told by name, and takes up nothing.
fn tenant(serving: &Serving, name: &str) -> Result<Tenant, Refusal> {
    let id = TenantId::new(name).map_err(|_no_name| Refusal::no_tenant(name))?;
    if serving.memory.tenants()?.binary_search(&id).is_err() {
        return Err(Refusal::no_tenant(name));
    }
    Ok(serving.memory.tenant(&id))
}

/// Where a query of the request reads, and how it is bounded.
fn view(serving: &Serving, asking: &Asking, query: Option<&Query>, desk: &Desk) -> Result<(View, QueryOptions), Refusal> {
    let tenant = tenant(serving, &asking.tenant)?;
    let now = tenant.now();
    let given = asking.fields.position(now)?;
    let view = tenant.at(query.map_or(given, |query| query.as_of(given)))?;
    Ok((view, options(serving, now, desk)))
}

fn options(serving: &Serving, now: AsOf, desk: &Desk) -> QueryOptions {
    let limits = serving.options.limits;
    QueryOptions {
        cancel: desk.cancel.clone(),
        max_rows: limits.rows,
        max_bytes: limits.bytes,
        max_read: limits.read,
        now: Some(now.valid_at.lo()),
        ..QueryOptions::default()
    }
}

async fn query(serving: Arc<Serving>, asking: Asking, text: String) -> Result<Response, Refusal> {
    let about = Arc::clone(&serving);
    serving
        .workshop
        .answer(move |desk| {
            let default = asking.fields.graphs("default-graph-uri")?;
            let named = asking.fields.graphs("named-graph-uri")?;
            let certain = asking.fields.switch("certain")?;
            // A tenant that is not there is told before anything that may be wrong with the query.
            tenant(&about, &asking.tenant)?;
            let mut query = Query::parse(&text)?;
            query.read_from(default.clone(), named.clone())?;
            let (view, options) = view(&about, &asking, Some(&query), desk)?;
            for (field, graphs) in [("default-graph-uri", &default), ("named-graph-uri", &named)] {
                graphs.iter().try_for_each(|graph| is_to_be_had(&view, field, graph))?;
            }
            let (format, media) = asking.accept.format(query.kind())?;
            let rdf = RdfView::new(view).certain_only(certain);
            let answer = query.run(&rdf, &options)?;
            let out = desk.begin(media)?;
            match format {
                Format::Results(format) => answer.write_results(format, out),
                Format::Graph(format) => answer.write_graph(format, out),
            }?;
            Ok(())
        })
        .await
}

/// Holds that a graph that a request names is one: a misspelt one is an error, not an empty answer.
fn is_to_be_had(view: &View, field: &str, graph: &NamedNode) -> Result<(), Refusal> {
    let iri = graph.as_str();
    match Position::of_iri(iri) {
        Some(Ok(_)) => Ok(()),
        Some(Err(error)) => Err(Refusal::field(field, iri, error)),
        None if iri == HISTORY || iri == META || view.snapshot().contexts().iter().any(|known| known == iri) => Ok(()),
        None => Err(Refusal::field(field, iri, "there is no such graph here")),
    }
}

async fn update(serving: Arc<Serving>, asking: Asking, text: String) -> Result<Response, Refusal> {
    if !serving.options.update {
        return Err(Refusal::new(StatusCode::FORBIDDEN, "updates are not taken here: the server was started without `--update`"));
    }
    let about = Arc::clone(&serving);
    let answered = serving.workshop.answer(move |desk| {
        for field in ["using-graph-uri", "using-named-graph-uri"] {
            if asking.fields.one(field)?.is_some() {
                return Err(Refusal::bad(format!("{field} cannot be had: `at` says where WHERE reads, and GRAPH which graph")));
            }
        }
        let tenant = tenant(&about, &asking.tenant)?;
        let now = tenant.now();
        let valid = asking.fields.one("valid")?;
        let valid = valid.map(|text| parse_span(Some(text), None, &Zone::UTC).map_err(|error| Refusal::field("valid", text, error)));
        let request = UpdateRequest {
            // Of a day the first instant: what ended on it no longer holds there.
            at: asking.fields.moment("at")?.unwrap_or(now.valid_at).lo(),
            valid: valid.transpose()?,
            because: asking.fields.one("because")?.map(str::to_owned),
            ..UpdateRequest::at(now)
        };
        let done = tenant.update_within(&text, &request, &options(&about, now, desk))?;
        let envelope = Envelope {
            schema: SCHEMA,
            command: "update",
            tenant: Some(asking.tenant.as_str()),
            as_of: None,
            body: transfer::updated(&done),
        };
        let told = serde_json::to_string(&envelope).map_err(|error| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
        // Where nobody waits for the receipt, the update is recorded all the same.
        let mut out = desk.begin("application/json")?;
        writeln!(out, "{told}").and_then(|()| out.flush()).ok();
        Ok(())
    });
    answered.await.map_err(|mut refusal| {
        if refusal.status == StatusCode::SERVICE_UNAVAILABLE {
            refusal.text.push_str("; whether it was recorded can be read");
        }
        refusal
    })
}

fn description(serving: &Serving, options: ServeOptions, asking: &Asking, desk: &Desk) -> Result<(), Refusal> {
    let (view, _) = view(serving, asking, None, desk)?;
    let (format, media) = asking.accept.graph()?;
    let triples = describe::service(&asking.endpoint()?, options.update, &view.snapshot().contexts());
    describe::write(&triples, format, desk.begin(media)?)
}
