ok = first
  && second
  || third
