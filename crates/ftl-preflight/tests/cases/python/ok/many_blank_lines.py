x = 1

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a

# a
