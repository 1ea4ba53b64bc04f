#!/usr/bin/env lua
-- A comment, and --[[ not a long one
--[==[ a long
one ]] ]==]
local a <const>, b <close>, c = 1, nil
local t = { 1, 2; x = 3, ["y"] = 4, [5] = { }, function(...) return ... end, }
local s = 'a\z
           b' .. "\x41\u{1F600}\065\
" .. [[
long ]=] ]] .. [==[ ]] ]==]
for i = 1, 10, 2 do
  if i == 3 then goto continue elseif i ~= 4 then break else ; end
  local k = i // 2 & ~1 | 3 << 4 >> 5 ~ 6
  ::continue::
end
for k, v in pairs(t) do t[k], t.x = v end
repeat local done = t:method "x" { y = 1 } (2) until done
function t.a.b:c(x, ...) self.x = { ... } end
local function f() return f() end
while not (#t > 0x1p4 and 3e-2 ^ .5 <= 1.) do (f or g)() end
do return end
