def f
  break
end
