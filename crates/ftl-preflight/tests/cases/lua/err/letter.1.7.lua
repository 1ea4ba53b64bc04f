local é = 1 // 2
