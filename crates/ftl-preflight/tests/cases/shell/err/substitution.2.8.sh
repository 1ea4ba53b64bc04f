echo \
  "$(if)"
