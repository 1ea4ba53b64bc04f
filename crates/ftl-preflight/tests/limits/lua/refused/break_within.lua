while x do
  break
  y()
end
