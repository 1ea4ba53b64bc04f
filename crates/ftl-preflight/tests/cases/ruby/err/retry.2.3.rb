def f
  retry
end
