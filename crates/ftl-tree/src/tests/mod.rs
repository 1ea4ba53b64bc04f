//! Real trees, most of them in real repositories.

mod attributes;
mod base;
mod landing;
mod refusals;
mod repositories;
mod saving;
mod scope;
mod strays;
mod undoing;
mod views;
mod watching;
mod working;
mod workplaces;
mod world;
