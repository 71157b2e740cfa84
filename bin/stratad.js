#!/usr/bin/env node
require('../dist/stratad.cjs').main(process.argv.slice(2))
