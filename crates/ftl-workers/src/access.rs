//! How the server is reached: its URL, a credential in a file, TLS.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as URL_SAFE_NO_PAD;
use serde::Deserialize;
use thiserror::Error;

/// How the server is reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// `nats://HOST:PORT`, or `tls://…`.
    pub url: String,
    /// A file with a credential: NATS creds, `USER:PASSWORD`, or a token.
    pub credentials: Option<PathBuf>,
    /// Certificates of authorities that may have signed the server's.
    pub ca: Option<PathBuf>,
    /// This client's certificate and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// Why the server could not be used.
#[derive(Debug, Error)]
pub enum ServerError {
    /// It refuses the credential.
    #[error("the server `{url}` refuses the credential: {said}")]
    Refused {
        /// The server.
        url: String,
        /// Its words.
        said: String,
    },
    /// It needs a credential.
    #[error("the server `{url}` needs a credential, and none is named")]
    NoCredential {
        /// The server.
        url: String,
    },
    /// The URL is none of a NATS server.
    #[error("`{url}` is not the URL of a NATS server: {said}")]
    Url {
        /// The URL.
        url: String,
        /// What is wrong.
        said: String,
    },
    /// Its certificate, or ours, is not accepted.
    #[error("no TLS connection to `{url}`: {said}")]
    Tls {
        /// The server.
        url: String,
        /// What is wrong.
        said: String,
    },
    /// It does not answer.
    #[error("cannot reach the server `{url}`: {said}")]
    Unreachable {
        /// The server.
        url: String,
        /// What is wrong.
        said: String,
    },
    /// The credential cannot be read.
    #[error("cannot read the credential `{}`: {said}", path.display())]
    Credential {
        /// Its file.
        path: PathBuf,
        /// What is wrong.
        said: String,
    },
    /// The URL holds a password, which other users of the machine could read.
    #[error("the server's URL holds a credential")]
    InUrl,
    /// The server can't do what is needed, or did not answer in time.
    #[error("the server could not {what}: {said}")]
    Answer {
        /// What was asked for.
        what: &'static str,
        /// What is wrong.
        said: String,
    },
}

impl ServerError {
    /// What a user can do about it.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Self::Refused { .. } => {
                "check that the credential is of this server's account and has not expired: `--creds FILE`, or `[workers] credentials` in ftl.toml"
            }
            Self::NoCredential { .. } => {
                "name the file that holds it: `--creds FILE`, or `[workers] credentials` in ftl.toml"
            }
            Self::Url { .. } => "it has the form `nats://HOST:4222`, or `tls://HOST:4222`",
            Self::Tls { .. } => {
                "name the authority that signed the server's certificate in `[workers] tls = { ca = FILE }`, and this machine's with `cert` and `key`, if the server asks for one; a server without TLS is `nats://HOST:4222`"
            }
            Self::Unreachable { .. } => {
                "start nats-server with `--jetstream` there, and check the URL and the network"
            }
            Self::Credential { .. } => {
                "the file holds NATS creds, `USER:PASSWORD`, or a token, and nothing else"
            }
            Self::InUrl => {
                "put `USER:PASSWORD` or the token into a file that only you can read, and name it with `--creds FILE` or `[workers] credentials`"
            }
            Self::Answer { .. } => {
                "start nats-server with `--jetstream`, and give the account streams and storage"
            }
        }
    }

    /// Whether another try may succeed without the user.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::Answer { .. })
    }
}

/// Gets a sentence for the user when the connection is lost, and when it is there again.
pub(crate) type Said = Box<dyn Fn(&str) + Send + Sync>;

pub(crate) async fn client(access: &Access, name: &str, said: Said) -> Result<Client, ServerError> {
    if access.url.rsplit_once("//").is_some_and(|(_, rest)| rest.contains('@')) {
        return Err(ServerError::InUrl);
    }
    let mut options = ConnectOptions::new()
        .name(name)
        .max_reconnects(None)
        .event_callback(reporting(access.url.clone(), said))
        // The client waits before every attempt, and counts the first as 1: that one is made at once.
        .reconnect_delay_callback(|attempt| attempt.checked_sub(2).map_or(Duration::ZERO, delay));
    if let Some(path) = &access.credentials {
        options = with_credential(options, path)?;
    }
    if let Some(ca) = &access.ca {
        options = options.add_root_certificates(ca.clone());
    }
    if let Some((certificate, key)) = &access.certificate {
        options = options.add_client_certificate(certificate.clone(), key.clone());
    }
    let url = access.url.clone();
    options.connect(&*access.url).await.map_err(|error| {
        let said = ftl_text::with_causes(&error);
        match error.kind() {
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation
                if access.credentials.is_none() =>
            {
                ServerError::NoCredential { url }
            }
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                let expired = access.credentials.as_deref().and_then(expired);
                ServerError::Refused { url, said: expired.unwrap_or(said) }
            }
            ConnectErrorKind::Tls => ServerError::Tls { url, said },
            ConnectErrorKind::ServerParse => ServerError::Url { url, said },
            _ if ["tls", "ertificate", "fatal alert", "corrupt message"]
                .iter()
                .any(|word| said.contains(word)) =>
            {
                ServerError::Tls { url, said }
            }
            _ => ServerError::Unreachable { url, said },
        }
    })
}

type Reported = std::future::Ready<()>;

/// Reports what becomes of a connection, each change once.
fn reporting(url: String, said: Said) -> impl Fn(Event) -> Reported + Send + Sync + 'static {
    let last = Mutex::new(String::new());
    move |event| {
        let text = match event {
            Event::Connected => format!("connected to `{url}` again"),
            Event::Disconnected => format!("the connection to `{url}` is lost; it is tried again"),
            Event::ClientError(error) if error.to_string().contains("auth") => {
                format!("the server `{url}` refuses the credential: {error}")
            }
            Event::ServerError(error) => format!("the server `{url}` says: {error}"),
            _ => return std::future::ready(()),
        };
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_first = last.is_empty();
        if *last != text {
            last.clone_from(&text);
            // The first connection is no news.
            if !is_first {
                said(&text);
            }
        }
        std::future::ready(())
    }
}

/// 1, 2, 4 … 30 seconds.
pub(crate) fn delay(attempts: usize) -> Duration {
    Duration::from_secs((1 << attempts.min(5)).min(30))
}

/// That NATS creds have expired, and when: a token of the form HEADER.CLAIMS.SIGNATURE holds it.
fn expired(path: &Path) -> Option<String> {
    #[derive(Deserialize)]
    struct Claims {
        exp: i64,
    }
    let text = std::fs::read_to_string(path).ok()?;
    let claims = text.lines().find_map(|line| line.strip_prefix("eyJ")?.split('.').nth(1))?;
    let claims = URL_SAFE_NO_PAD.decode(claims).ok()?;
    let Claims { exp } = serde_json::from_slice(&claims).ok()?;
    let at = jiff::Timestamp::from_second(exp).ok()?;
    (at < jiff::Timestamp::now()).then(|| format!("it expired at {at}"))
}

fn with_credential(options: ConnectOptions, path: &Path) -> Result<ConnectOptions, ServerError> {
    let unreadable = |said: String| ServerError::Credential { path: path.to_owned(), said };
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    if text.contains("BEGIN NATS USER JWT") {
        return options.credentials(&text).map_err(|error| unreadable(error.to_string()));
    }
    let word = text.trim();
    match word.split_once(':') {
        _ if word.is_empty() || word.contains(char::is_whitespace) => {
            Err(unreadable("it has none of the known forms".to_owned()))
        }
        Some((user, password)) => {
            Ok(options.user_and_password(user.to_owned(), password.to_owned()))
        }
        None => Ok(options.token(word.to_owned())),
    }
}
