//! Real trees, most of them in real repositories.

mod base;
mod scope;
mod snapshots;
mod strays;
mod survival;
mod world;
