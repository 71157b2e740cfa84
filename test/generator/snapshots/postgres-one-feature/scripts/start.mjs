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
process.setSourceMapsEnabled(true)
await import('../dist/main.js')
