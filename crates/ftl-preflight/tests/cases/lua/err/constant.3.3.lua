local a <const> = 1
local function f()
  a = 2
end
