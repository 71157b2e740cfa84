// `npm start`: builds dist/ if it is missing or stale, then runs the app in this process. In package.json, `exec`
// replaces npm's shell with this process: a shell would not pass on the signals that npm receives.
import { existsSync } from 'node:fs'
import { runScript } from './run-script.mjs'
import { isStale } from './stamp.mjs'

if (isStale() && !runScript('build')) process.exit(1)
process.once('exit', (code) => {
  if (code !== 0 && !existsSync('.env')) console.error('there is no .env: npm run setup creates it')
})
process.setSourceMapsEnabled(true)
await import('../dist/main.js')
