//! The time, as records write it.

/// Now, in RFC 3339, in UTC, to the second.
pub(crate) fn now() -> String {
    jiff::Timestamp::now()
        .strftime("%Y-%m-%dT%H:%M:%SZ")
        .to_string()
}
