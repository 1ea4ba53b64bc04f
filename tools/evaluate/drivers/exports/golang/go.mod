module exports

go 1.21
