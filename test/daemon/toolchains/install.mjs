// Installs missing toolchains for the tests of other apps: `node install.mjs`. Prints the reason if one cannot be
// installed; its tests are skipped. pnpm and Yarn go to /usr/local, where the users of projects reach them.
import { spawnSync } from 'node:child_process'

const packages = { pnpm: 'pnpm@9.15.9', yarn: 'yarn@1.22.22' }

const installers = {
  python3: () => debian(['python3', 'python3-venv'], ['python3', '-c', 'import venv, ensurepip']),
  go: () => debian(['golang-go'], ['go', 'version']),
  pnpm: () => fromNpm('pnpm'),
  yarn: () => fromNpm('yarn'),
}

for (const [name, install] of Object.entries(installers)) {
  process.stdout.write(`${name} ${outcome(install)}\n`)
}

function outcome(install) {
  try {
    return install()
  } catch (error) {
    return `can not be installed: ${error.message}`
  }
}

function debian(names, check) {
  if (works(check)) return 'is installed'
  if (process.getuid?.() !== 0) throw new Error('only root can use apt-get')
  run('apt-get', ['update', '-qq'])
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names])
  return 'is installed'
}

function fromNpm(name) {
  if (works([name, '--version'])) return 'is installed'
  if (process.getuid?.() !== 0) throw new Error('only root can write /usr/local')
  run('npm', ['install', '--global', '--prefix', '/usr/local', '--ignore-scripts', packages[name]])
  return 'is installed'
}

function works([program, ...args]) {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}

function run(program, args) {
  const { status, error } = spawnSync(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`)
}
