#![cfg(key = value)]
