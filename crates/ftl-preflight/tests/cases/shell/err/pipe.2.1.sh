echo |
