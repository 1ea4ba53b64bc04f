fn main() {
    let s = "é;
}
