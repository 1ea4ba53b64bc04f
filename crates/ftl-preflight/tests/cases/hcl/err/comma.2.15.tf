service {
  name = "web",
}
