#!/usr/bin/lua
-- first
return 1; -- one
-- last
