//! Counting an agent's calls while a request is under way: the build listens, and `ftl mcp` asks it before
//! each call.
//!
//! The count lives in the build's memory and reaches the journal with the request's event. Whoever knows the
//! address can only spend: there is no message that gives a call back, and none that raises the bound. The
//! address is a socket without a file, so that it works through an overlay and leaves no litter, and a word
//! that only the request's own directory holds, so that nobody else on the machine can spend.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::thread;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Bytes of a message.
const MAX_MESSAGE: u64 = 256;
/// How long either side waits for the other.
const PATIENCE: Duration = Duration::from_secs(5);

const GRANTED: &str = "granted";
const REFUSED: &str = "refused";

/// Where a build counts the calls of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Address {
    /// The name of the socket.
    pub(crate) socket: String,
    /// The word that every message begins with.
    pub(crate) word: String,
    /// How many calls it grants in all.
    pub(crate) most: i64,
}

impl Address {
    /// Asks for one call of `tool`: whether it is granted.
    pub(crate) fn charge(&self, tool: &str) -> io::Result<bool> {
        let mut stream = connect(&self.socket)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        writeln!(stream, "{} {tool}", self.word)?;
        let mut answer = String::new();
        stream.take(MAX_MESSAGE).read_to_string(&mut answer)?;
        match answer.trim_end() {
            GRANTED => Ok(true),
            REFUSED => Ok(false),
            _ => Err(io::Error::other("it gives no answer")),
        }
    }
}

/// Counts the calls of one request.
#[derive(Debug)]
pub(crate) struct Meter {
    address: Address,
    count: Arc<Count>,
}

#[derive(Debug, Default)]
struct Count {
    used: AtomicI64,
    closed: AtomicBool,
}

impl Meter {
    /// Listens, and grants `most` calls.
    pub(crate) fn open(most: i64) -> io::Result<Self> {
        let address = Address { socket: format!("ftl-meter-{}", random()), word: random(), most };
        let listener = listen(&address.socket)?;
        let count = Arc::new(Count::default());
        let (known, counting) = (address.clone(), Arc::clone(&count));
        thread::Builder::new()
            .name("meter".into())
            .spawn(move || serve(&listener, &known, &counting))?;
        Ok(Self { address, count })
    }

    pub(crate) fn address(&self) -> &Address {
        &self.address
    }

    /// Grants no more, and gives the number of calls that were granted.
    pub(crate) fn close(self) -> u64 {
        self.count.closed.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for the next call; where it is gone already, there is nobody to wake.
        drop(connect(&self.address.socket));
        u64::try_from(self.count.used.load(Ordering::SeqCst)).unwrap_or(0)
    }
}

fn serve(listener: &UnixListener, address: &Address, count: &Count) {
    for stream in listener.incoming() {
        if count.closed.load(Ordering::SeqCst) {
            return;
        }
        // Of somebody who breaks off, or talks nonsense, nothing is counted.
        let _ = stream.and_then(|stream| answer(&stream, address, count));
    }
}

fn answer(stream: &UnixStream, address: &Address, count: &Count) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut message = String::new();
    BufReader::new(stream.take(MAX_MESSAGE)).read_line(&mut message)?;
    if message.split(' ').next() != Some(&address.word) || !message.ends_with('\n') {
        return Ok(());
    }
    let granted = count.used.load(Ordering::SeqCst) < address.most;
    if granted {
        count.used.fetch_add(1, Ordering::SeqCst);
    }
    let mut stream = stream;
    stream.write_all(if granted { GRANTED } else { REFUSED }.as_bytes())
}

/// A word that nobody can guess: the keys of hash maps come from the system's own source.
fn random() -> String {
    let part = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", part(), part())
}

#[cfg(target_os = "linux")]
fn listen(name: &str) -> io::Result<UnixListener> {
    UnixListener::bind_addr(&place(name)?)
}

#[cfg(target_os = "linux")]
fn connect(name: &str) -> io::Result<UnixStream> {
    UnixStream::connect_addr(&place(name)?)
}

#[cfg(target_os = "linux")]
fn place(name: &str) -> io::Result<std::os::unix::net::SocketAddr> {
    use std::os::linux::net::SocketAddrExt;
    std::os::unix::net::SocketAddr::from_abstract_name(name)
}

#[cfg(not(target_os = "linux"))]
fn listen(name: &str) -> io::Result<UnixListener> {
    UnixListener::bind(std::env::temp_dir().join(name))
}

#[cfg(not(target_os = "linux"))]
fn connect(name: &str) -> io::Result<UnixStream> {
    UnixStream::connect(std::env::temp_dir().join(name))
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::{Address, Meter, connect};

    #[test]
    fn as_many_calls_are_granted_as_were_allowed_and_all_are_counted() {
        let meter = Meter::open(3).unwrap();
        let granted: Vec<bool> = (0..5).map(|_| meter.address().charge("read").unwrap()).collect();
        assert_eq!(granted, [true, true, true, false, false]);
        assert_eq!(meter.close(), 3);
    }

    #[test]
    fn calls_from_many_sides_are_counted_once_each() {
        let meter = Meter::open(40).unwrap();
        let granted: usize = std::thread::scope(|scope| {
            let ask = || (0..20).filter(|_| meter.address().charge("edit").unwrap()).count();
            let askers: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
            askers.into_iter().map(|asker| asker.join().unwrap()).sum()
        });
        assert_eq!((granted, meter.close()), (40, 40));
    }

    #[test]
    fn nobody_spends_without_the_word_and_nobody_gets_a_call_back() {
        let meter = Meter::open(2).unwrap();
        assert!(meter.address().charge("read").unwrap());
        let own = meter.address();
        let forged = Address { word: "0".repeat(32), most: 99, ..own.clone() };
        forged.charge("read").unwrap_err();
        let word = &own.word;
        for message in [
            String::new(),
            word.clone(),
            "\n".to_owned(),
            format!("-{word} read\n"),
            format!("{word}-1 read\n"),
            "x".repeat(1 << 16),
        ] {
            let mut stream = connect(&own.socket).unwrap();
            // The other side may have hung up already.
            let _ = stream.write_all(message.as_bytes());
            let _ = stream.shutdown(std::net::Shutdown::Write);
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer);
            assert_eq!(answer, b"", "{message:.80}");
        }
        assert!(Address { most: 99, ..own.clone() }.charge("read").unwrap());
        assert!(!Address { most: 99, ..own.clone() }.charge("read").unwrap());
        assert_eq!(meter.close(), 2);
    }

    #[test]
    fn a_meter_that_is_closed_grants_nothing() {
        let meter = Meter::open(9).unwrap();
        let address = meter.address().clone();
        assert_eq!(meter.close(), 0);
        let late = address.charge("read");
        assert!(!matches!(late, Ok(true)), "{late:?}");
    }
}
