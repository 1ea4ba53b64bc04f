(echo
