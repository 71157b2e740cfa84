// Runs the unit tests on other releases of Node, installed from the npm packages node-<platform>-<arch>.
// Usage: node scripts/unit-on-node.mjs <release>…
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

for (const release of process.argv.slice(2)) {
  const prefix = join('.cache', `node-${release}`)
  mkdirSync(prefix, { recursive: true })
  run('npm', [
    'install',
    '--prefix',
    prefix,
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `${name}@${release}`,
  ])
  const node = join(prefix, 'node_modules', name, 'bin', 'node')
  chmodSync(node, 0o755)
  run(node, ['--version'])
  run(node, [
    join('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--project=unit',
    'src',
    'daemon',
  ])
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
