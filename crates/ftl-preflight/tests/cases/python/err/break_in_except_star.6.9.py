for x in y:
    try:
        pass
    # a
    except* E:
        break
