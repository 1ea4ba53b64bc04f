//! Awkward inputs, byte for byte (tests/fixtures), and a world that does not play along.

mod faults;
mod patches;
mod workspaces;
