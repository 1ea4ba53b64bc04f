#!/usr/bin/env node
if (!module.parent) return;
var await = 010;
with (await) {}
