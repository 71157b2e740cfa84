// `npm run test:full`: runs all suites, including the suites that `.ci/run` omits. Takes about
// four hours.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const suites = [
  ['npm', ['test']],
  // The slow suites use the servers that the store suites install.
  ['npm', ['run', 'test:stores']],
  ['npm', ['run', 'test:slow']],
  ['npm', ['run', 'test:docker']],
  ['npx', ['vitest', 'run', '--project=full']],
  ['node', ['scripts/unit-on-node.mjs', '22', '24']],
  ['npm', ['ci', '--prefix', 'bench']],
  ['npm', ['run', 'bench:apps', '--', '--quick']],
  ['npm', ['ci', '--prefix', 'bench/daemon/peers']],
  ['npm', ['run', 'bench:daemon', '--', '--quick']],
  ['npm', ['run', 'bench:page', '--', '--check']],
]

const startedMs = Date.now()
const failed = []
for (const [program, args] of suites) {
  const title = [program, ...args].join(' ')
  process.stdout.write(`\n━━ ${title} (${Math.round((Date.now() - startedMs) / 1000)} s)\n`)
  const { status } = spawnSync(program, args, { stdio: 'inherit' })
  if (status !== 0) failed.push(title)
}
process.stdout.write(
  failed.length === 0 ? '\nevery suite passed\n' : `\nfailed:\n${failed.join('\n')}\n`,
)
process.exit(failed.length === 0 ? 0 : 1)
