// `npm run dev`: runs `generate`, if the project has that script, then the app. tsx restarts both when a file changes.
import { runScript } from './run-script.mjs'

if (!runScript('generate', '--if-present')) process.exit(1)
await import('../src/main.ts')
