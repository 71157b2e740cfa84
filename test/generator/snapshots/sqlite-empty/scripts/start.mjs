// `npm start`: builds what is missing or out of date, then runs the app in this process.
import { spawnSync } from 'node:child_process'
import { isStale } from './stamp.mjs'

if (isStale()) {
  const npm = process.env.npm_execpath
  const { status } = npm
    ? spawnSync(process.execPath, [npm, 'run', 'build'], { stdio: 'inherit' })
    : spawnSync('npm', ['run', 'build'], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
// A signal to npm reaches its shell, which may die of it and leave the app behind: then the app stops too.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid
  const watch = () => process.ppid !== parent && process.kill(process.pid, 'SIGTERM')
  setInterval(watch, 200).unref()
}
process.setSourceMapsEnabled(true)
await import('../dist/main.js')
