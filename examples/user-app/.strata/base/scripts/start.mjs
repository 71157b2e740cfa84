// `npm start`: builds dist/ if it is missing or stale, then runs the app in this process.
import { runScript } from './run-script.mjs'
import { isStale } from './stamp.mjs'

if (isStale() && !runScript('build')) process.exit(1)
// A signal to npm can kill its shell without reaching the app. An orphaned app has another parent, and stops.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid
  const stopIfOrphaned = () => process.ppid !== parent && process.kill(process.pid, 'SIGTERM')
  setInterval(stopIfOrphaned, 200).unref()
}
process.setSourceMapsEnabled(true)
await import('../dist/main.js')
