unsafe impl S {}
