//! SPARQL over HTTP: the SPARQL 1.1 Protocol at `/TENANT/sparql`, for queries and, where it is allowed, for updates; docs/HTTP.md.
//!
//! Owns the server: where it listens, what it allows, how it ends. Knows the facade, and nothing of how answers are computed.

mod connection;
mod describe;
mod negotiate;
mod refusal;
mod request;
mod sparql;
mod work;

use crate::memory::Memory;
use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, Uri};
use axum::routing::{any, get};
use refusal::Refusal;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::Notify;
use work::Workshop;

/// So long answers under way may take once the server was told to end.
const FAREWELL: Duration = Duration::from_secs(5);
/// Threads that carry requests and answers; what is computed has threads of its own.
const CARRIERS: usize = 2;

/// What one request may take, and how many there may be.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long a request may take.
    pub timeout: Duration,
    /// The most rows or triples of an answer.
    pub rows: u64,
    /// The most bytes of an answer.
    pub bytes: u64,
    /// The most facts that a query reads.
    pub read: u64,
    /// How many requests are computed at once; at most four times as many threads have not ended yet.
    pub at_once: usize,
    /// How many connections are open at once.
    pub connections: usize,
}

/// Thirty seconds, a million rows, 256 MiB, five million facts, four at once, 256 connections.
impl Default for Limits {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(30), rows: 1_000_000, bytes: 256 << 20, read: 5_000_000, at_once: 4, connections: 256 }
    }
}

/// How a memory is served.
#[derive(Clone, Copy, Debug)]
pub struct ServeOptions {
    /// Where to listen; port 0 is a free one.
    pub address: SocketAddr,
    /// Whether others than this machine may ask.
    pub allow_remote: bool,
    /// Whether updates are taken.
    pub update: bool,
    /// What a request may take.
    pub limits: Limits,
}

/// Port 7878 of this machine, for reading only.
impl Default for ServeOptions {
    fn default() -> Self {
        Self { address: SocketAddr::from(([127, 0, 0, 1], 7878)), allow_remote: false, update: false, limits: Limits::default() }
    }
}

/// Why a memory cannot be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address can be reached by others, which was not allowed.
    #[error("{0} can be reached from other machines, and whoever reaches it reads every tenant")]
    Remote(SocketAddr),
    /// The address cannot be listened at.
    #[error("cannot listen at {address}: {error}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// The server cannot run.
    #[error("cannot serve: {0}")]
    Run(#[source] io::Error),
}

/// A server that listens.
///
/// ```
/// use erstwhile::Memory;
/// use erstwhile::surface::http::{ServeOptions, Server};
/// use std::net::SocketAddr;
///
/// let folder = tempfile::tempdir()?;
/// let options = ServeOptions { address: SocketAddr::from(([127, 0, 0, 1], 0)), ..ServeOptions::default() };
/// let server = Server::bind(Memory::open(folder.path())?, options)?;
/// println!("http://{}/default/sparql", server.address());
/// let stopper = server.stopper();
/// let running = std::thread::spawn(|| server.run());
/// stopper.stop();
/// running.join().expect("the server has not panicked")?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Server {
    serving: Arc<Serving>,
    listener: TcpListener,
    address: SocketAddr,
    runtime: Runtime,
    stop: Arc<Notify>,
}

/// Ends a server from elsewhere.
#[derive(Clone, Debug)]
pub struct Stopper(Arc<Notify>);

impl Stopper {
    /// Tells the server to end: nothing new is taken, and what is under way has five seconds.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

/// What every request needs.
#[derive(Debug)]
struct Serving {
    memory: Memory,
    options: ServeOptions,
    workshop: Workshop,
}

impl Server {
    /// Listens at the address of the options; nothing is answered before [`Server::run`].
    ///
    /// # Errors
    /// [`ServeError::Remote`] for an address that is not of this machine alone and was not allowed; [`ServeError::Bind`];
    /// [`ServeError::Run`].
    pub fn bind(memory: Memory, options: ServeOptions) -> Result<Self, ServeError> {
        let address = options.address;
        if !address.ip().is_loopback() && !options.allow_remote {
            return Err(ServeError::Remote(address));
        }
        let bind = |error| ServeError::Bind { address, error };
        let listener = TcpListener::bind(address).map_err(bind)?;
        listener.set_nonblocking(true).map_err(bind)?;
        let bound = listener.local_addr().map_err(bind)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(CARRIERS).enable_all().build().map_err(ServeError::Run)?;
        let workshop = Workshop::new(&options.limits);
        let serving = Arc::new(Serving { memory, options, workshop });
        Ok(Self { serving, listener, address: bound, runtime, stop: Arc::new(Notify::new()) })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What ends it.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.stop))
    }

    /// Answers until the process is told to end (SIGINT, SIGTERM) or a [`Stopper`] is used.
    ///
    /// # Errors
    /// [`ServeError::Run`].
    pub fn run(self) -> Result<(), ServeError> {
        let Self { serving, listener, runtime, stop, .. } = self;
        let limits = serving.options.limits;
        let ended = runtime.block_on(async move {
            let listener = connection::Counted::new(tokio::net::TcpListener::from_std(listener)?, &limits);
            let told = Arc::new(Notify::new());
            let telling = Arc::clone(&told);
            let farewell = async move {
                until_told(&stop).await?;
                telling.notify_one();
                tokio::time::sleep(FAREWELL).await;
                Ok(())
            };
            let serve = axum::serve(listener, router(serving)).with_graceful_shutdown(async move { told.notified().await });
            // Whoever comes first: all is answered, or nobody is waited for any longer.
            tokio::select! {
                served = serve => served,
                waited = farewell => waited,
            }
        });
        // What still computes has been told to stop; nobody waits for it.
        runtime.shutdown_background();
        ended.map_err(ServeError::Run)
    }
}

/// Waits until somebody wants the server to end.
async fn until_told(stop: &Notify) -> io::Result<()> {
    #[cfg(unix)]
    {
        let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
        tokio::select! {
            () = stop.notified() => Ok(()),
            interrupted = tokio::signal::ctrl_c() => interrupted,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    {
        tokio::select! {
            () = stop.notified() => Ok(()),
            interrupted = tokio::signal::ctrl_c() => interrupted,
        }
    }
}

fn router(serving: Arc<Serving>) -> Router {
    Router::new()
        .route("/", get(about))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/{tenant}/sparql", any(sparql::endpoint))
        .route("/{tenant}/update", any(sparql::update_endpoint))
        .route("/{tenant}/void", any(sparql::void_endpoint))
        .fallback(|uri: Uri| async move {
            Refusal::new(StatusCode::NOT_FOUND, format!("there is nothing at {:?}: ask at /TENANT/sparql", uri.path()))
        })
        // Bodies are read with a limit of their own.
        .layer(DefaultBodyLimit::disable())
        .with_state(serving)
}

/// What is served. It names no tenant: who asks has to know whose memory it is.
async fn about(State(serving): State<Arc<Serving>>) -> String {
    let update = if serving.options.update { "/TENANT/update    updates\n" } else { "" };
    format!(
        "erstwhile {}: SPARQL over time\n/TENANT/sparql    queries; without one, what the service can do\n{update}/TENANT/void      how many triples there are, and of what\n",
        env!("CARGO_PKG_VERSION")
    )
}
