// `npm start`: builds what is missing or out of date, then runs the app in this process.
import { runScript } from './run-script.mjs'
import { isStale } from './stamp.mjs'

if (isStale() && !runScript('build')) process.exit(1)
// A signal to npm reaches its shell, which may die of it and leave the app behind: then the app stops too.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid
  const watch = () => process.ppid !== parent && process.kill(process.pid, 'SIGTERM')
  setInterval(watch, 200).unref()
}
process.setSourceMapsEnabled(true)
await import('../dist/main.js')
