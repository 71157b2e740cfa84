// `npm run dev`: what is generated first, then the app from its sources; tsx runs it again when a file changes.
import { runScript } from './run-script.mjs'

if (!runScript('generate', '--if-present')) process.exit(1)
await import('../src/main.ts')
