[[ a == b && c d ]]
