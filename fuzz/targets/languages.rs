#![no_main]
//! Any language of the table: the variable `FTL_LANGUAGE` names it.

use std::sync::LazyLock;

use ftl_preflight::Language;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    static NAME: LazyLock<String> = LazyLock::new(|| {
        let name = std::env::var("FTL_LANGUAGE").expect("because the sweep sets it");
        let language: Language = name.parse().expect("because the sweep reads the table");
        format!("a.{}", language.extensions()[0])
    });
    ftl_fuzz::syntax(&NAME, bytes);
});
