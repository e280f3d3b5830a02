//! The threads that answers are computed on: how many there are, how long each may take, and how what they write comes to the client.
//!
//! A thread has the stack that strangers' queries need. It is told to stop when its time is up or the client has left; one that goes on
//! computing regardless is left behind and counted until it ends, so that there are never more than so many.
//! Knows nothing of what is computed.

use super::Limits;
use super::refusal::Refusal;
use crate::sparql::STACK_BYTES;
use crate::surface::chunks::Chunks;
use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::Response;
use futures_core::Stream;
use spareval::CancellationToken;
use std::io::{self, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{Instant, sleep_until, timeout, timeout_at};

/// So long something that was told to stop may take to do so.
const PATIENCE: Duration = Duration::from_millis(250);
/// So long a request waits for its turn.
const TURN: Duration = Duration::from_secs(1);
/// Chunks that are computed ahead of what the client has taken.
const AHEAD: usize = 8;
/// Threads that were left behind, for each that may run.
const LEFT_BEHIND: usize = 4;

/// Where work is done.
#[derive(Debug)]
pub(super) struct Workshop {
    /// One for each answer that is computed.
    turns: Arc<Semaphore>,
    /// One for each thread, those that were left behind included.
    threads: Arc<Semaphore>,
    limit: Duration,
}

/// What a thread has to tell.
enum Piece {
    /// The media type of what follows.
    Begin(&'static str),
    Bytes(Vec<u8>),
    Refused(Refusal),
    /// The answer is whole. Where the channel ends without it, the thread has failed.
    End,
}

/// The thread's end of an answer.
pub(super) struct Desk {
    to: Sender<Piece>,
    runtime: Handle,
    deadline: Instant,
    /// Tells the work to stop.
    pub(super) cancel: CancellationToken,
}

impl Desk {
    fn send(&self, piece: Piece) -> io::Result<()> {
        if self.to.is_closed() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        // A client who takes nothing holds its thread no longer than the query may take.
        let sent = self.runtime.block_on(async { timeout_at(self.deadline, self.to.send(piece)).await });
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_gone)) => Err(io::ErrorKind::BrokenPipe.into()),
            Err(_late) => Err(io::ErrorKind::TimedOut.into()),
        }
    }

    /// Begins an answer of a media type: a writer of its body. What fails before its first chunk is full is told by a status, what fails
    /// later breaks the answer off.
    pub(super) fn begin(&self, media: &'static str) -> Result<impl Write, Refusal> {
        self.send(Piece::Begin(media)).map_err(|_nobody| Refusal::later("nobody waits for the answer"))?;
        Ok(Chunks::new(|chunk| self.send(Piece::Bytes(chunk))))
    }
}

impl Workshop {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            turns: Arc::new(Semaphore::new(limits.at_once)),
            threads: Arc::new(Semaphore::new(limits.at_once.saturating_mul(LEFT_BEHIND))),
            limit: limits.timeout,
        }
    }

    /// Does a piece of work on a thread and answers with what it writes.
    pub(super) async fn answer(&self, work: impl FnOnce(&Desk) -> Result<(), Refusal> + Send + 'static) -> Result<Response, Refusal> {
        let busy = || Refusal::later("too much is asked at once");
        let turn = timeout(TURN, Arc::clone(&self.turns).acquire_owned()).await.ok().and_then(Result::ok).ok_or_else(busy)?;
        let thread = Arc::clone(&self.threads).try_acquire_owned().map_err(|_none| busy())?;
        let deadline = Instant::now() + self.limit;
        let cancel = CancellationToken::new();
        let (to, mut from) = channel(AHEAD);
        let desk = Desk { to, runtime: Handle::current(), deadline: deadline + PATIENCE, cancel: cancel.clone() };
        let ended = begin(desk, thread, work)?;
        let client = Client(cancel.clone());
        tokio::spawn(watch(ended, deadline, cancel, turn));
        let late = || Refusal::later(format!("this was not answered within {:?}", self.limit));
        let mut next = async || match timeout_at(deadline + PATIENCE, from.recv()).await {
            // What was stopped is late where its time is up.
            Ok(Some(Piece::Refused(_))) if Instant::now() >= deadline => Err(late()),
            Ok(Some(Piece::Refused(refusal))) => Err(refusal),
            Ok(piece) => Ok(piece),
            Err(_late) => Err(late()),
        };
        let broken = || Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "the answer was broken off by a fault of this program");
        let Some(Piece::Begin(media)) = next().await? else { return Err(broken()) };
        let first = next().await?.ok_or_else(broken)?;
        let pieces = Pieces { first: Some(first), from, deadline: Box::pin(sleep_until(deadline + PATIENCE)), _client: client };
        let mut response = Response::new(Body::from_stream(pieces));
        response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static(media));
        response.headers_mut().insert(header::VARY, header::HeaderValue::from_static("accept"));
        Ok(response)
    }
}

/// Starts the thread; the receiver is told when it has ended.
fn begin(
    desk: Desk,
    permit: OwnedSemaphorePermit,
    work: impl FnOnce(&Desk) -> Result<(), Refusal> + Send + 'static,
) -> Result<oneshot::Receiver<()>, Refusal> {
    let (end, ended) = oneshot::channel();
    let run = move || {
        let _held = (permit, end);
        let last = work(&desk).map_or_else(Piece::Refused, |()| Piece::End);
        // Where nobody waits any more, there is nobody to tell.
        desk.send(last).ok();
    };
    let started = thread::Builder::new().name("answer".to_owned()).stack_size(STACK_BYTES).spawn(run);
    started.map_err(|error| Refusal::later(format!("no thread can be started: {error}")))?;
    Ok(ended)
}

/// Tells a thread to stop when its time is up, and gives its turn to the next one when it has ended, or a little later.
async fn watch(mut ended: oneshot::Receiver<()>, deadline: Instant, cancel: CancellationToken, turn: OwnedSemaphorePermit) {
    if timeout_at(deadline, &mut ended).await.is_err() {
        cancel.cancel();
        timeout(PATIENCE, ended).await.ok();
    }
    drop(turn);
}

/// Somebody who waits: the work is told to stop when they are gone.
struct Client(CancellationToken);

impl Drop for Client {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The body of an answer.
struct Pieces {
    first: Option<Piece>,
    from: Receiver<Piece>,
    deadline: Pin<Box<tokio::time::Sleep>>,
    _client: Client,
}

impl Stream for Pieces {
    type Item = Result<Vec<u8>, io::Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let next = match this.first.take() {
            Some(first) => Poll::Ready(Some(first)),
            None => this.from.poll_recv(context),
        };
        match next {
            Poll::Ready(Some(Piece::Bytes(bytes))) => Poll::Ready(Some(Ok(bytes))),
            Poll::Ready(Some(Piece::End)) => Poll::Ready(None),
            // The connection is broken off, so that a part is never taken for the whole.
            Poll::Ready(Some(Piece::Refused(refusal))) => Poll::Ready(Some(Err(io::Error::other(refusal.text)))),
            Poll::Ready(Some(Piece::Begin(_)) | None) => Poll::Ready(Some(Err(io::ErrorKind::UnexpectedEof.into()))),
            Poll::Pending => match this.deadline.as_mut().poll(context) {
                Poll::Ready(()) => Poll::Ready(Some(Err(io::ErrorKind::TimedOut.into()))),
                Poll::Pending => Poll::Pending,
            },
        }
    }
}
