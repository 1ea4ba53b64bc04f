//! The well-known shapes of secrets: data alone. `shape.rs` says how they are found.
//!
//! A pattern is a regular expression over bytes, applied where one of its anchors is found. What it
//! captures is the secret, else all that it matches. Examples are written in two pieces, so that no
//! scanner of repositories takes them for real ones; none of them is. `docs/secrets.md` is made from
//! this table.

use super::shape::{Shape, Start};

/// A token that begins with its anchor.
const TOKEN: Shape = Shape {
    name: "",
    what: "",
    source: "",
    anchors: &[],
    start: Start::Token,
    pattern: "",
    mixed: false,
    yes: &[],
    no: &[],
};

const IN: Shape = Shape { start: Start::Inside, ..TOKEN };

#[rustfmt::skip]
pub(super) const SHAPES: &[Shape] = &[
    Shape {
        name: "aws-access-key-id", what: "AWS access key ID",
        source: "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html",
        anchors: &["AKIA", "ASIA", "ABIA", "ACCA"], pattern: r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}\b",
        yes: &[("AKIA", "QYLPMN5HHHFPZAM2"), ("ASIA", "Y34FZKBOKMUTVV7A")],
        no: &["AKIAIOSFODNN7EXAMPLE", "AKIA", "AKIAlowercase0000000"], ..TOKEN
    },
    Shape {
        name: "aws-secret-access-key", what: "AWS secret access key, named as such",
        source: "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html",
        anchors: &["ecret_access_key", "ECRET_ACCESS_KEY", "ecretAccessKey"],
        pattern: r#"(?i:ecret_?access_?key)\\?["']?\s{0,3}[:=>]{1,2}\s{0,3}\\?["']?([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)"#,
        yes: &[("aws_secret_access_key = ", "kWcrlUX5JEDGM/LtmEENI/aVmYvHNif5zB+d9+ct"),
            ("\"SecretAccessKey\": \"", "9drTJvcXLB89EXjkWcrlUX5JEDGMLtmEENIaVmYv\"")],
        no: &["aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "secret_access_key = none"], ..IN
    },
    Shape {
        name: "google-api-key", what: "Google API key",
        source: "https://cloud.google.com/docs/authentication/api-keys",
        anchors: &["AIza"], pattern: r"AIza[0-9A-Za-z_-]{35}",
        yes: &[("AIza", "SyD3f9Kq2LmN8pR5tVwXyZ1aBcDeFgHiJkL")], no: &["AIzaShort", "AIzaXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"], ..TOKEN
    },
    Shape {
        name: "google-oauth-secret", what: "Google OAuth client secret",
        source: "https://developers.google.com/identity/protocols/oauth2",
        anchors: &["GOCSPX-"], pattern: r"GOCSPX-[A-Za-z0-9_-]{20,}",
        yes: &[("GOCSPX-", "a8Xk2mQ9pLr4TzV7wYc3BnE6dFgH")], no: &["GOCSPX-"], ..TOKEN
    },
    Shape {
        name: "google-oauth-token", what: "Google OAuth access or refresh token",
        source: "https://developers.google.com/identity/protocols/oauth2",
        anchors: &["ya29.", "1//0"], pattern: r"(?:ya29\.|1//0)[A-Za-z0-9_-]{20,}",
        yes: &[("ya29.", "a0AfH6SMBx7kQ2vN9pL3rT8wZ1yU5iO4eR6"), ("1//0", "gK3xQ9mB2vN7pL4rT8wZ1yU5iO6eR0aS")],
        no: &["ya29.py", "http://h/1//0/index.html"], ..TOKEN
    },
    Shape {
        name: "azure-key", what: "Azure account key in a connection string",
        source: "https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string",
        anchors: &["AccountKey=", "AccessKey="], pattern: r"(?:Account|Access)Key=([A-Za-z0-9+/]{43,}={0,2})",
        yes: &[("AccountKey=", "lJzRc1YdHaAA2KCNJJ1tkYwF/+mKK6Ygw0NGe170Xu592euJv2wYUtBlV8z+qnlcNQSnIYVTkLWntUO1F8j8rQ==")],
        no: &["AccountKey=<key>", "AccessKey=none"], ..IN
    },
    Shape {
        name: "azure-sas", what: "signature of an Azure shared access URL",
        source: "https://learn.microsoft.com/azure/storage/common/storage-sas-overview",
        anchors: &["&sig=", "?sig="], pattern: r"[?&]sig=([A-Za-z0-9%/+]{43,60}(?:%3[dD]|=))",
        yes: &[("https://a.blob.core.windows.net/c?sv=2022&sig=", "Z%2FRHIX5Xcg0Mq2rqI3OlWTjEg2tYkboXr1P9ZUXDtkk%3D")],
        no: &["?sig=short&x=1"], ..IN
    },
    Shape {
        name: "azure-client-secret", what: "client secret of an Entra application",
        source: "https://learn.microsoft.com/entra/identity-platform/app-objects-and-service-principals",
        anchors: &["7Q~", "8Q~"], start: Start::Before(4),
        pattern: r"[A-Za-z0-9_~.]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}",
        yes: &[("Xb4", "8Q~d2mK9pLr4TzV7wYc3BnE6dFgHjKq1sUvWx")], no: &["8Q~", "a 8Q~ b"], ..TOKEN
    },
    Shape {
        name: "github-token", what: "GitHub token (personal, OAuth, app, refresh)",
        source: "https://docs.github.com/authentication/keeping-your-account-and-data-secure/about-authentication-to-github",
        anchors: &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], pattern: r"gh[pousr]_[A-Za-z0-9]{36,251}",
        yes: &[("ghp_", "16C7e42F292c6912E7710c838347Ae178B4a"), ("ghs_", "v8Qk2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvWx")],
        no: &["ghp_short", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "ghs_000000000000000000000000000000000000"], ..TOKEN
    },
    Shape {
        name: "github-fine-grained", what: "GitHub fine-grained personal token",
        source: "https://docs.github.com/authentication/keeping-your-account-and-data-secure/managing-your-personal-access-tokens",
        anchors: &["github_pat_"], pattern: r"github_pat_[A-Za-z0-9_]{36,255}",
        yes: &[("github_pat_", "11AAQ7Z3Q0k2mX9pLr4TzV_7wYc3BnE6dFgHjK1sUvWxYz0aBcDeFgHiJkLmNoPqRsTuVwXyZ1234567890")],
        no: &["github_pat_", "github_pat_your_token_here"], ..TOKEN
    },
    Shape {
        name: "gitlab-token", what: "GitLab token",
        source: "https://docs.gitlab.com/security/tokens/#token-prefixes",
        anchors: &["glpat-", "gldt-", "glrt-", "glptt-", "glft-", "glsoat-", "glcbt-", "glagent-", "gloas-", "GR1348941"],
        pattern: r"(?:gl(?:pat|dt|rt|ptt|ft|soat|cbt|agent|oas)-|GR1348941)[A-Za-z0-9_=.-]{20,}",
        yes: &[("glpat-", "k2mX9pLr4TzV7wYc3BnE"), ("GR1348941", "k2mX9pLr4TzV7wYc3BnE")],
        no: &["glpat-", "glpat-xxxxxxxxxxxxxxxxxxxx"], ..TOKEN
    },
    Shape {
        name: "slack-token", what: "Slack token",
        source: "https://api.slack.com/authentication/token-types",
        anchors: &["xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"],
        pattern: r"(?:xox[abeoprs][-.]|xapp-)[A-Za-z0-9.-]{16,}", mixed: true,
        yes: &[("xoxb-", "263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1"), ("xapp-", "1-A0B1C2D3E4F-1234567890123-0a1b2c3d4e5f60718293a4b5c6d7e8f9")],
        no: &["xoxb-", "xoxb-your-bot-token-goes-here"], ..TOKEN
    },
    Shape {
        name: "slack-webhook", what: "Slack webhook",
        source: "https://api.slack.com/messaging/webhooks",
        anchors: &["hooks.slack.com/"], pattern: r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/+_-]{24,})",
        yes: &[("https://hooks.slack.com/services/", "T0B2C3D4E/B0F1G2H3J/k2mX9pLr4TzV7wYc3BnE6dFg")],
        no: &["https://hooks.slack.com/services/", "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"], ..IN
    },
    Shape {
        name: "stripe-key", what: "Stripe API key or webhook secret",
        source: "https://docs.stripe.com/keys",
        anchors: &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"],
        pattern: r"(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})",
        yes: &[("sk_live_", "4eC39HqLyjWDarjtT1zdp7dc"), ("whsec_", "k2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvW")],
        no: &["sk_live_", "sk_test_xxxxxxxxxxxxxxxxxxxxxxxx", "pk_live_4eC39HqLyjWDarjtT1zdp7dc"], ..TOKEN
    },
    Shape {
        name: "anthropic-key", what: "Anthropic API key",
        source: "https://docs.anthropic.com/en/api/overview",
        anchors: &["sk-"], pattern: r"sk-ant-[A-Za-z0-9_-]{20,}", mixed: true,
        yes: &[("sk-ant-", "api03-k2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvWxYz0aBcDeFgHiJkLmNoPqRsTuVwXyZ-k2mX9pLr4TzV7wYc3BnE6dFgHjK-AA")],
        no: &["sk-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxx", "sk-ant-your-key-here-please"], ..TOKEN
    },
    Shape {
        name: "openai-key", what: "OpenAI API key, and of those who use its form",
        source: "https://platform.openai.com/docs/api-reference/authentication",
        anchors: &["sk-"], pattern: r"sk-[A-Za-z0-9_-]{20,}", mixed: true,
        yes: &[("sk-", "k2mX9pLr4TzV7wYc3BnET3BlbkFJHjK1sUvWxYz0aBcDeFgH"), ("sk-proj-", "k2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvWxYz0aBcDeFgHiJ")],
        no: &["sk-xxxx", "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "sk-learn-contrib-packages-and-more", "risk-k2mX9pLr4TzV7wYc3BnE6dFg"], ..TOKEN
    },
    Shape {
        name: "huggingface-token", what: "Hugging Face token",
        source: "https://huggingface.co/docs/hub/security-tokens",
        anchors: &["hf_", "api_org_"], pattern: r"(?:hf_|api_org_)[A-Za-z0-9]{30,}",
        yes: &[("hf_", "kQmXpLrTzVwYcBnEdFgHjKsUvWxYzaBcDe")], no: &["hf_hub_download", "hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"], ..TOKEN
    },
    Shape {
        name: "model-api-key", what: "key of Groq, xAI, Perplexity, Replicate or LangSmith",
        source: "https://docs.github.com/code-security/secret-scanning/introduction/supported-secret-scanning-patterns",
        anchors: &["gsk_", "xai-", "pplx-", "r8_", "lsv2_"],
        pattern: r"(?:gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{60,}|pplx-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{37}|lsv2_[a-z]{2}_[0-9a-f]{32}_[0-9a-f]{10})",
        yes: &[("gsk_", "k2mX9pLr4TzV7wYc3BnEWGdyb3FYHjK1sUvWxYz0aBcDeFgHiJkL"), ("r8_", "k2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvWxYz0a")],
        no: &["gsk_key", "xai-grok", "r8_g8_b8"], ..TOKEN
    },
    Shape {
        name: "npm-token", what: "npm token, or a registry's in .npmrc",
        source: "https://docs.npmjs.com/about-access-tokens",
        anchors: &["npm_"], pattern: r"npm_[A-Za-z0-9]{36}",
        yes: &[("npm_", "k2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvWxYz0")], no: &["npm_config_registry", "npm_lifecycle_event"], ..TOKEN
    },
    Shape {
        name: "npmrc-auth", what: "credentials in an .npmrc",
        source: "https://docs.npmjs.com/cli/configuring-npm/npmrc",
        anchors: &["_authToken=", "_auth=", "_password="],
        pattern: r#":_(?:authToken|auth|password)=["']?([A-Za-z0-9+/=_.-]{12,})"#, start: Start::Before(1),
        yes: &[("//registry.example/:_authToken=", "k2mX9pLr4TzV7wYc3BnE6dFgHj")],
        no: &["//registry.example/:_authToken=${NPM_TOKEN}", "use_password=authenticated"], ..IN
    },
    Shape {
        name: "pypi-token", what: "PyPI token",
        source: "https://packaging.python.org/en/latest/specifications/pypirc/",
        anchors: &["pypi-AgE"], pattern: r"pypi-AgE[A-Za-z0-9_-]{30,}",
        yes: &[("pypi-AgE", "IcHlwaS5vcmcCJGQ3ZmYxk2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvWxYz0aBcDeFgHiJkLmNoPq")],
        no: &["pypi-AgE", "pypi-server-2.0"], ..TOKEN
    },
    Shape {
        name: "crates-token", what: "crates.io token",
        source: "https://doc.rust-lang.org/cargo/reference/registry-authentication.html",
        anchors: &["cio"], pattern: r"cio[A-Za-z0-9]{32}\b", mixed: true,
        yes: &[("cio", "k2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvW")], no: &["cio", "ciotola", "cioabcdefghijklmnopqrstuvwxyzabcdef"], ..TOKEN
    },
    Shape {
        name: "rubygems-key", what: "RubyGems API key",
        source: "https://guides.rubygems.org/api-key-scopes/",
        anchors: &["rubygems_"], pattern: r"rubygems_[a-f0-9]{48}",
        yes: &[("rubygems_", "4f3c1e9a0b7d6258c4f3a1e9d0b7c6258a4f3c1e9d0b7a62")], no: &["rubygems_api_key"], ..TOKEN
    },
    Shape {
        name: "nuget-key", what: "NuGet API key",
        source: "https://learn.microsoft.com/nuget/nuget-org/publish-a-package",
        anchors: &["oy2"], pattern: r"oy2[a-z0-9]{43}\b",
        yes: &[("oy2", "k2mx9plr4tzv7wyc3bne6dfghjk1suvwxyz0abcdefg")], no: &["oy2", "boy2man"], ..TOKEN
    },
    Shape {
        name: "docker-token", what: "Docker Hub token",
        source: "https://docs.docker.com/security/access-tokens/",
        anchors: &["dckr_pat_", "dckr_oat_"], pattern: r"dckr_[po]at_[A-Za-z0-9_-]{20,}",
        yes: &[("dckr_pat_", "k2mX9pLr4TzV7wYc3BnE6dFgHjK")], no: &["dckr_pat_"], ..TOKEN
    },
    Shape {
        name: "docker-auth", what: "credentials of a Docker configuration",
        source: "https://docs.docker.com/reference/cli/docker/login/",
        anchors: &["\"auth\":", "\"auth\" :", "\"auth\\\":"], pattern: r#""auth\\?"\s?:\s{0,3}\\?"([A-Za-z0-9+/]{12,}={0,2})\\?""#,
        yes: &[("{\"auth\": \"", "dXNlcjpodW50ZXIyaHVudGVyMg==\"}")], no: &["\"auth\": \"none\"", "\"auth\": true"], ..IN
    },
    Shape {
        name: "twilio-key", what: "Twilio API key",
        source: "https://www.twilio.com/docs/iam/api-keys",
        anchors: &["SK0", "SK1", "SK2", "SK3", "SK4", "SK5", "SK6", "SK7", "SK8", "SK9", "SKa", "SKb", "SKc", "SKd", "SKe", "SKf"],
        pattern: r"SK[0-9a-f]{32}\b",
        yes: &[("SK", "4f3c1e9a0b7d6258c4f3a1e9d0b7c625")], no: &["SK00000000000000000000000000000000", "SKU12", "SK4f3c"], ..TOKEN
    },
    Shape {
        name: "sendgrid-key", what: "SendGrid API key",
        source: "https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys",
        anchors: &["SG."], pattern: r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}",
        yes: &[("SG.", "k2mX9pLr4TzV7wYc3BnE6d.FgHjK1sUvWxYz0aBcDeFgHiJkLmNoPqRsTuVwXyZ123")], no: &["SG.1", "SG.example.com"], ..TOKEN
    },
    Shape {
        name: "mailgun-key", what: "Mailgun API key",
        source: "https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/rbac-mgmt",
        anchors: &["key-"], pattern: r"key-[0-9a-f]{32}\b",
        yes: &[("key-", "4f3c1e9a0b7d6258c4f3a1e9d0b7c625")], no: &["key-value", "key-00000000000000000000000000000000"], ..TOKEN
    },
    Shape {
        name: "mailchimp-key", what: "Mailchimp API key",
        source: "https://mailchimp.com/developer/marketing/guides/quick-start/",
        anchors: &["-us1", "-us2", "-us3", "-us4", "-us5", "-us6", "-us7", "-us8", "-us9"], start: Start::Before(32),
        pattern: r"[0-9a-f]{32}-us[0-9]{1,2}\b",
        yes: &[("4f3c1e9a0b7d6258c4f3a1e9d0b7c625", "-us14")], no: &["eu-us1", "host-us12.example"], ..TOKEN
    },
    Shape {
        name: "telegram-token", what: "Telegram bot token",
        source: "https://core.telegram.org/bots/api#authorizing-your-bot",
        anchors: &[":AA"], start: Start::Before(10), pattern: r"[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}",
        yes: &[("123456789", ":AAHk2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvW")], no: &["a:AA", "12:AA:BB:CC:DD:EE"], ..TOKEN
    },
    Shape {
        name: "discord-token", what: "Discord bot token",
        source: "https://discord.com/developers/docs/reference#authentication",
        anchors: &["."], start: Start::Before(28), pattern: r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}",
        yes: &[("MTk4NjIyNDgzNDcxOTI1MjQ4", ".Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs")], no: &["Node.module.exports", "a.b.c"], ..TOKEN
    },
    Shape {
        name: "discord-webhook", what: "Discord webhook",
        source: "https://discord.com/developers/docs/resources/webhook",
        anchors: &["api/webhooks/"], pattern: r"api/webhooks/[0-9]{10,}/([A-Za-z0-9_-]{60,})",
        yes: &[("https://discord.com/api/webhooks/198622483471925248/", "k2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvWxYz0aBcDeFgHiJkLmNoPqRsTuVwXyZ123456")],
        no: &["api/webhooks/github"], ..IN
    },
    Shape {
        name: "shopify-token", what: "Shopify token",
        source: "https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens",
        anchors: &["shpat_", "shpca_", "shppa_", "shpss_", "shptka_"], pattern: r"shp(?:at|ca|pa|ss|tka)_[A-Fa-f0-9]{32}",
        yes: &[("shpat_", "4f3c1e9a0b7d6258c4f3a1e9d0b7c625")], no: &["shpat_xyz"], ..TOKEN
    },
    Shape {
        name: "digitalocean-token", what: "DigitalOcean token",
        source: "https://docs.digitalocean.com/reference/api/create-personal-access-token/",
        anchors: &["dop_v1_", "doo_v1_", "dor_v1_"], pattern: r"do[opr]_v1_[a-f0-9]{64}",
        yes: &[("dop_v1_", "4f3c1e9a0b7d6258c4f3a1e9d0b7c6254f3c1e9a0b7d6258c4f3a1e9d0b7c625")], no: &["dop_v1_"], ..TOKEN
    },
    Shape {
        name: "heroku-key", what: "Heroku API key",
        source: "https://devcenter.heroku.com/articles/authentication",
        anchors: &["HRKU-"], pattern: r"HRKU-[A-Za-z0-9_-]{30,}",
        yes: &[("HRKU-", "AAk2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvWxYz0aBcDeFgHiJkLmNoPqRsTuVwXy")], no: &["HRKU-"], ..TOKEN
    },
    Shape {
        name: "atlassian-token", what: "Atlassian or Bitbucket token",
        source: "https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/",
        anchors: &["ATATT3", "ATCTT3", "ATBB"], pattern: r"(?:AT[AC]TT3[A-Za-z0-9_=-]{50,}|ATBB[A-Za-z0-9]{32})",
        yes: &[("ATATT3", "xFfGF0k2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvWxYz0aBcDeFgHiJkLmNoPqRsTuVwXyZ=A1B2C3D4")], no: &["ATBB", "ATATT3"], ..TOKEN
    },
    Shape {
        name: "databricks-token", what: "Databricks token",
        source: "https://docs.databricks.com/dev-tools/auth/pat.html",
        anchors: &["dapi"], pattern: r"dapi[0-9a-f]{32}(?:-[0-9])?\b",
        yes: &[("dapi", "4f3c1e9a0b7d6258c4f3a1e9d0b7c625")], no: &["dapi", "dapid"], ..TOKEN
    },
    Shape {
        name: "grafana-token", what: "Grafana token",
        source: "https://grafana.com/docs/grafana/latest/administration/service-accounts/",
        anchors: &["glsa_", "glc_"], pattern: r"(?:glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}|glc_[A-Za-z0-9+/=]{32,})",
        yes: &[("glsa_", "k2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvW_4f3c1e9a")], no: &["glc_", "glsa_x"], ..TOKEN
    },
    Shape {
        name: "sentry-token", what: "Sentry token",
        source: "https://docs.sentry.io/account/auth-tokens/",
        anchors: &["sntrys_", "sntryu_"], pattern: r"sntry[su]_[A-Za-z0-9+/=_-]{60,}",
        yes: &[("sntryu_", "4f3c1e9a0b7d6258c4f3a1e9d0b7c6254f3c1e9a0b7d6258c4f3a1e9d0b7c625")], no: &["sntrys_"], ..TOKEN
    },
    Shape {
        name: "newrelic-key", what: "New Relic user key",
        source: "https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/",
        anchors: &["NRAK-"], pattern: r"NRAK-[A-Z0-9]{27}\b",
        yes: &[("NRAK-", "K2MX9PLR4TZV7WYC3BNE6DFGHJK")], no: &["NRAK-"], ..TOKEN
    },
    Shape {
        name: "vault-token", what: "HashiCorp Vault or Terraform token",
        source: "https://developer.hashicorp.com/vault/docs/concepts/tokens",
        anchors: &["hvs.", "hvb.", "hvr."], pattern: r"hv[sbr]\.[A-Za-z0-9_-]{24,}",
        yes: &[("hvs.", "CAESIk2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvWx")], no: &["hvs.go", "hvs.", "hvs.internal"], ..TOKEN
    },
    Shape {
        name: "terraform-token", what: "HCP Terraform token",
        source: "https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens",
        anchors: &[".atlasv1."], start: Start::Before(14), pattern: r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}",
        yes: &[("k2mX9pLr4TzV7w", ".atlasv1.Yc3BnE6dFgHjK1sUvWxYz0aBcDeFgHiJkLmNoPqRsTuVwXyZ12345678")], no: &["x.atlasv1.y"], ..TOKEN
    },
    Shape {
        name: "postman-key", what: "Postman API key",
        source: "https://learning.postman.com/docs/developer/postman-api/authentication/",
        anchors: &["PMAK-"], pattern: r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}",
        yes: &[("PMAK-", "4f3c1e9a0b7d6258c4f3a1e9-d0b7c6254f3c1e9a0b7d6258c4f3a1e9d0")], no: &["PMAK-"], ..TOKEN
    },
    Shape {
        name: "square-token", what: "Square token",
        source: "https://developer.squareup.com/docs/build-basics/access-tokens",
        anchors: &["sq0atp-", "sq0csp-"], pattern: r"sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}",
        yes: &[("sq0atp-", "k2mX9pLr4TzV7wYc3BnE6d")], no: &["sq0atp-"], ..TOKEN
    },
    Shape {
        name: "linear-key", what: "Linear or Notion key",
        source: "https://linear.app/developers/graphql",
        anchors: &["lin_api_", "ntn_"], pattern: r"(?:lin_api_|ntn_)[A-Za-z0-9]{40,}",
        yes: &[("lin_api_", "k2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvWxYz0aBcD")], no: &["lin_api_", "ntn_x"], ..TOKEN
    },
    Shape {
        name: "planetscale-key", what: "PlanetScale token or password",
        source: "https://planetscale.com/docs/concepts/service-tokens",
        anchors: &["pscale_"], pattern: r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_=.-]{32,}",
        yes: &[("pscale_tkn_", "k2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvWxYz0")], no: &["pscale_cli"], ..TOKEN
    },
    Shape {
        name: "age-key", what: "age secret key",
        source: "https://github.com/FiloSottile/age",
        anchors: &["AGE-SECRET-KEY-1"], pattern: r"AGE-SECRET-KEY-1[A-Z0-9]{58}",
        yes: &[("AGE-SECRET-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE")], no: &["AGE-SECRET-KEY-1..."], ..TOKEN
    },
    Shape {
        name: "jwt", what: "JSON Web Token",
        source: "https://www.rfc-editor.org/rfc/rfc7519",
        anchors: &["eyJ"], pattern: r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+)*",
        yes: &[("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", ".eyJzdWIiOiI0MjAxMzM3IiwibmFtZSI6IkFkYSJ9.k2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvWxYz0aBcDeFg")],
        no: &["eyJ", "eyJhbGciOiJIUzI1NiJ9", "eyJ.a.b"], ..TOKEN
    },
    Shape {
        name: "private-key", what: "private key in PEM",
        source: "https://www.rfc-editor.org/rfc/rfc7468",
        anchors: &["-----BEGIN "], start: Start::Pem, pattern: r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----",
        yes: &[("-----BEGIN ", "PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----"),
            ("-----BEGIN ", "RSA PRIVATE KEY-----\\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqV\\n-----END RSA PRIVATE KEY-----\\n")],
        no: &["-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----", "-----BEGIN PRIVATE KEY-----"], ..TOKEN
    },
    Shape {
        name: "putty-key", what: "private key of PuTTY",
        source: "https://the.earth.li/~sgtatham/putty/0.83/htmldoc/AppendixC.html",
        anchors: &["Private-Lines: "], pattern: r"Private-Lines: [0-9]{1,3}\r?\n((?:[A-Za-z0-9+/=]{1,76}\r?\n){1,99})",
        yes: &[("Private-Lines: 1\n", "AAAAgEgZX5Zk2mX9pLr4TzV7wYc3BnE6dFgHjK1sUvWxYz0aBcDeFgHiJkLm\nPrivate-MAC: 0\n")], no: &["Private-Lines: 1"], ..IN
    },
    Shape {
        name: "url-password", what: "password in a URL",
        source: "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1",
        anchors: &["://"], pattern: r#"://[^\s/?#"'`<>\\:@]{0,128}:([^\s/"'`<>\\@]{1,256})@[A-Za-z0-9\[]"#,
        yes: &[("postgres://app:", "hunter2hunter2@db.example:5432/app"), ("https://:", "t0psecret@host/")],
        no: &["https://host:8080/a@b", "postgres://app:password@localhost/db", "https://user:${PASS}@host/", "http://[::1]:80/", "https://user@host/"], ..IN
    },
    Shape {
        name: "bearer-header", what: "bearer token of a header",
        source: "https://www.rfc-editor.org/rfc/rfc6750",
        anchors: &["Bearer ", "bearer ", "BEARER "], pattern: r"(?i:bearer) {1,3}([A-Za-z0-9._~+/=-]{16,})", mixed: true,
        yes: &[("Authorization: Bearer ", "k2mX9pLr4TzV7wYc3BnE6dFg")],
        no: &["Bearer authentication", "Bearer <token>", "bearer xxxxxxxxxxxxxxxxxxxx"], ..TOKEN
    },
    Shape {
        name: "basic-header", what: "basic or token credentials of a header",
        source: "https://www.rfc-editor.org/rfc/rfc7617",
        anchors: &["uthorization", "UTHORIZATION"],
        pattern: r#"(?i:uthorization)\\?["']?\s{0,2}[:=,]\s{0,2}\\?["']?(?i:basic|token|apikey) {1,3}([A-Za-z0-9._~+/-]{8,}={0,2})"#,
        yes: &[("Authorization: Basic ", "dXNlcjpodW50ZXIyaHVudGVyMg=="), ("\"authorization\":\"token ", "k2mX9pLr4TzV7wYc3BnE")],
        no: &["Authorization: Basic", "Authorization: Basic <credentials>", "authorization = basic auth"], ..IN
    },
    Shape {
        name: "api-key-header", what: "key in a separate header",
        source: "https://spec.openapis.org/oas/v3.1.0#security-scheme-object",
        anchors: &["-api-key", "-Api-Key", "-API-Key", "-API-KEY"],
        pattern: r#"(?i:-api-key)\\?["']?\s{0,2}[:=,]\s{0,2}\\?["']?([A-Za-z0-9._~+/=-]{16,})"#, mixed: true,
        yes: &[("X-Api-Key: ", "k2mX9pLr4TzV7wYc3BnE6dFg")], no: &["x-api-key: required", "X-API-Key: your-api-key-goes-here"], ..IN
    },
];
