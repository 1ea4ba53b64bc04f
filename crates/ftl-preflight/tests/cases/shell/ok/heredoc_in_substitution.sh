text=$(cat <<EOS
one )
EOS)
echo "$text"
