m! {
    /// Whatever the macro makes of it.
}
//// no doc
/***/
