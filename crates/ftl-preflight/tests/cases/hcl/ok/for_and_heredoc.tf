a = { for x in y :
  x => z &&
  w
}
b = <<EOF

EOF"
EOF
