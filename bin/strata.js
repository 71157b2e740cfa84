#!/usr/bin/env node
const built = `${__dirname}/../dist/strata.cjs`
if (!require('node:fs').existsSync(built)) require('./first-run.js').buildClone()
const [, , command] = process.argv
if (command !== undefined && !command.startsWith('-')) require('./code-cache.js').cacheCode(command)
require(built).main(process.argv.slice(2))
