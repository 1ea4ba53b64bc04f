try:
    x()
else:
    y()
finally:
    z()
