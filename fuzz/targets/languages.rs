#![no_main]
//! Every language of the table: the first byte chooses one.

use ftl_preflight::Language;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let all: Vec<Language> = Language::all().collect();
    let Some((first, text)) = bytes.split_first() else { return };
    let language = all[usize::from(*first) % all.len()];
    ftl_fuzz::syntax(&format!("a.{}", language.extensions()[0]), text);
});
