local goto = 1
goto = goto + 1
local pattern = "\."
return pattern
