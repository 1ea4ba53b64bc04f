#!/usr/bin/env node
const a = <b/>;
