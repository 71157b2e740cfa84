#!/usr/bin/env node
const built = `${__dirname}/../dist/strata.cjs`
if (!require('node:fs').existsSync(built)) require('./first-run.js').buildClone()
require(built).main(process.argv.slice(2))
