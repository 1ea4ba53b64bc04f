goto l // 1
