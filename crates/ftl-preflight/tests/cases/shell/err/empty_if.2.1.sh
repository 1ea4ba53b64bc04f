if true; then
fi
