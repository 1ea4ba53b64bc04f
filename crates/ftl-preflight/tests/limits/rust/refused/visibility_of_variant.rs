enum Bird {
    pub Duck,
}
