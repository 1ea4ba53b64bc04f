fn a() {}

/// Nothing follows.
