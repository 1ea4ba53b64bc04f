if a
  b
end end
