//! Real trees, most of them in real repositories.

mod attributes;
mod base;
mod overlay;
mod putting_back;
mod repositories;
mod scope;
mod slot_views;
mod slots;
mod snapshots;
mod strays;
mod survival;
mod watching;
mod world;
