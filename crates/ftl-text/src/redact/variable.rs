//! Which variables hold secrets, by their names; and which values are none all the same.
//!
//! The globs are those that agents use for what they keep from their children. Without exceptions they
//! would hide keyboard layouts and paths of sockets from every log.

use super::value::SHORTEST;

/// Parts of names.
const SECRET: &[&str] =
    &["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL"];
/// Whole words of names.
const SECRET_WORDS: &[&str] = &["PASS", "PW", "PWD", "AUTH", "PAT", "COOKIE", "DSN"];
/// Words that hold one of the parts by chance.
const HARMLESS: &[&str] = &[
    "KEYBOARD",
    "KEYMAP",
    "KEYCODE",
    "KEYCLOAK",
    "KEYSPACE",
    "KEYTIMEOUT",
    "MONKEY",
    "TURKEY",
    "DONKEY",
    "HOCKEY",
    "JOCKEY",
    "WHISKEY",
    "HOTKEY",
    "TOKENIZER",
    "TOKENIZE",
    "SECRETARY",
    "KEYWORD",
    "KEYRING",
    "KEYCHAIN",
    "KEYSERVER",
];
/// Last words of names that tell about a secret, or where it is.
const ABOUT: &[&str] = &[
    "PATH",
    "FILE",
    "DIR",
    "DIRECTORY",
    "SOCK",
    "SOCKET",
    "TTY",
    "TTL",
    "TYPE",
    "HOST",
    "HOSTNAME",
    "PORT",
    "LENGTH",
    "SIZE",
    "ALGORITHM",
    "ALGO",
    "BACKEND",
    "STORE",
    "MODE",
    "VERSION",
    "TIMEOUT",
    "COUNT",
    "FORMAT",
    "HEADER",
    "ISSUER",
    "AUDIENCE",
    "SCOPE",
    "REGION",
    "ENABLED",
    "DISABLED",
    "PROVIDER",
    "HELPER",
    "COMMAND",
    "LIMIT",
    "BUDGET",
    "EXPIRY",
    "EXPIRES",
    "LAYOUT",
];
/// First directories of paths, on all systems.
const TOP: &[&str] = &[
    "bin",
    "boot",
    "dev",
    "etc",
    "home",
    "lib",
    "media",
    "mnt",
    "nix",
    "opt",
    "private",
    "proc",
    "root",
    "run",
    "sbin",
    "srv",
    "sys",
    "tmp",
    "usr",
    "var",
    "Users",
    "Library",
    "Applications",
    "System",
    "Volumes",
    "workspace",
    "workspaces",
    "builds",
    "github",
    "app",
    "data",
];

/// Whether a variable holds a secret.
pub(super) fn is_secret(name: &str, value: &str) -> bool {
    let value = value.trim();
    value.len() >= SHORTEST && is_secret_name(name) && !is_harmless_value(name, value)
}

fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    // A key of git's configuration is a name.
    let is_own = name.starts_with("FTL_") || name.starts_with("GIT_CONFIG_KEY_");
    if matches!(name.as_str(), "PWD" | "OLDPWD") || is_own {
        return false;
    }
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let last = words.last().copied().unwrap_or_default();
    if words.len() > 1 && ABOUT.contains(&last) {
        return false;
    }
    let is_secret =
        |word: &str| SECRET_WORDS.contains(&word) || SECRET.iter().any(|part| word.contains(part));
    words.into_iter().filter(|word| is_secret(word)).any(|word| {
        let harmless = HARMLESS.iter().find(|harmless| word.contains(*harmless));
        harmless.is_none_or(|harmless| is_secret(&word.replace(harmless, "")))
    })
}

/// Paths, numbers, and words that only name something. A password may be a number or a word.
fn is_harmless_value(name: &str, value: &str) -> bool {
    let is_password = name.to_ascii_uppercase().contains("PASS");
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit() || b".-:,".contains(&byte));
    let first = value.strip_prefix('/').and_then(|path| path.split('/').next());
    let is_path = first.is_some_and(|first| TOP.contains(&first))
        || ["~/", "./", "../", "file:", "C:\\"].iter().any(|start| value.starts_with(start));
    const WORDS: &[&str] = &[
        "disabled",
        "required",
        "optional",
        "kubernetes",
        "osxkeychain",
        "libsecret",
        "keychain",
        "undefined",
        "redacted",
        "changeme",
        "[redacted",
        "password",
        "wincred-",
    ];
    is_path
        || is_number && !is_password
        || WORDS.iter().any(|word| value.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::is_secret;

    #[test]
    fn secrets_are_known_by_the_names_of_their_variables() {
        for (name, value) in [
            ("API_KEY", "swordfish-1"),
            ("MYAPIKEY", "swordfish-1"),
            ("GITHUB_TOKEN", "swordfish"),
            ("DB_PASSWORD", "12345678"),
            ("db_passwd", "correct horse"),
            ("AWS_SECRET_ACCESS_KEY", "wJ/abc+ghi1"),
            ("NPM_AUTH", "abcdefgh="),
            ("SMTP_PASS", "hunter2hunter2"),
            ("X_CREDENTIALS", "{\"a\": \"bcdef\"}"),
            ("KEY", "AKIAABCDEFGH"),
            ("SENTRY_DSN", "https://abc@h/1"),
        ] {
            assert!(is_secret(name, value), "{name}={value}");
        }
        for (name, value) in [
            ("API_KEY", "short"),
            ("SSH_AUTH_SOCK", "/run/user/1000/keyring/ssh"),
            ("XKB_KEYBOARD", "us-intl-altgr"),
            ("KEYBOARD_LAYOUT", "us-international"),
            ("GPG_TTY", "/dev/pts/12"),
            ("PWD", "/home/ada/project"),
            ("TOKENIZERS_PARALLELISM", "disabled"),
            ("MAX_TOKENS", "100000000"),
            ("SSH_KEY_PATH", "id_ed25519_work"),
            ("DEPLOY_KEY", "/home/ada/.ssh/id_ed25519"),
            ("GIT_AUTHOR_NAME", "Ada Lovelace"),
            ("MONKEY", "capuchin-monkey"),
            ("TOKEN_TTL", "3600 seconds"),
            ("XAUTHORITY", "/home/ada/.Xauthority"),
            ("SECRET_BACKEND", "kubernetes"),
            ("KEYCLOAK_URL", "https://sso.example"),
            ("PATH", "/usr/bin:/bin"),
            ("HOME", "/home/ada"),
        ] {
            assert!(!is_secret(name, value), "{name}={value}");
        }
    }
}
