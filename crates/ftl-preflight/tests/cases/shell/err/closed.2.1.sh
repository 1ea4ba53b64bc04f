true
fi
