#!/usr/bin/env node
import { main } from '../dist/strata.js'

await main(process.argv.slice(2))
