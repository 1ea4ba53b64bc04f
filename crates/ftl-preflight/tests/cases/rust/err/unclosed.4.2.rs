fn main() {
    if true {
        let y = 1;
}
