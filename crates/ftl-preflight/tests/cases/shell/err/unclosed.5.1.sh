if true
then
  true

