a {
  b = 
}
