true
echo "a
