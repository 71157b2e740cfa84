#!/usr/bin/env node
require('../dist/strata.cjs').main(process.argv.slice(2))
