//! Real trees, most of them in real repositories.

mod base;
mod captures;
mod strays;
mod world;
