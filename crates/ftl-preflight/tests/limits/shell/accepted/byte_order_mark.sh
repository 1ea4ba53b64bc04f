if true; then echo; fi
