//! Connections: at most so many at once, and none that is silent for ever. Knows no request.

use super::Limits;
use axum::serve::Listener;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// A connection may be silent for so long beyond what a request may take.
const SILENCE: Duration = Duration::from_secs(30);

/// A listener that takes the next connection when there is room for it.
pub(super) struct Counted {
    listener: TcpListener,
    room: Arc<Semaphore>,
    silence: Duration,
}

impl Counted {
    pub(super) fn new(listener: TcpListener, limits: &Limits) -> Self {
        let silence = limits.timeout.saturating_add(SILENCE);
        Self { listener, room: Arc::new(Semaphore::new(limits.connections)), silence }
    }
}

impl Listener for Counted {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let place = Arc::clone(&self.room).acquire_owned().await.ok();
        let (stream, from) = Listener::accept(&mut self.listener).await;
        (Connection { stream, silence: self.silence, until: Box::pin(sleep(self.silence)), _place: place }, from)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that ends when nothing has gone either way for a while.
pub(super) struct Connection {
    stream: TcpStream,
    silence: Duration,
    until: Pin<Box<Sleep>>,
    _place: Option<OwnedSemaphorePermit>,
}

impl Connection {
    /// What came of reading or writing, unless there was silence for too long.
    fn heard<T>(&mut self, context: &mut Context<'_>, went: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if went.is_ready() {
            let until = Instant::now() + self.silence;
            self.until.as_mut().reset(until);
            return went;
        }
        self.until.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Connection {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let went = Pin::new(&mut this.stream).poll_read(context, into);
        this.heard(context, went)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let went = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.heard(context, went)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }

    fn poll_write_vectored(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[io::IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let went = Pin::new(&mut this.stream).poll_write_vectored(context, bytes);
        this.heard(context, went)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
