/**
 * Builds a fresh clone on the first run of `strata` or `stratad`.
 *
 * `npm install --global .` only links to the clone, and npm 11 runs no script of a linked package: the first run is the
 * earliest moment at which the clone can be built. It also replaces npm's link with a copy, so that the installed
 * programs keep working when the clone is moved or removed.
 */
const { spawnSync } = require('node:child_process')
const { existsSync, lstatSync, mkdtempSync, realpathSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { dirname, join } = require('node:path')

const root = dirname(__dirname)
const { name, version } = require('../package.json')

/** Installs the dependencies of the clone, which builds `dist/`. Ends the process if the build fails or a copy took over. */
exports.buildClone = function buildClone() {
  if (!existsSync(join(root, 'package-lock.json'))) {
    fail(`${root} has no built files: run \`npm ci\` in the clone, then install from it again`)
  }
  say(`first run: installing dependencies and building in ${root} (about half a minute) …`)
  npm(['ci', '--global=false', '--include=dev', '--loglevel=error'])
  if (!existsSync(join(root, 'dist', 'strata.cjs'))) npm(['run', 'build', '--global=false'])
  const prefix = linkedPrefix()
  if (prefix === undefined) return
  replaceLink(prefix)
  const { status } = spawnSync(process.execPath, process.argv.slice(1), { stdio: 'inherit' })
  process.exit(status ?? 1)
}

/** Returns npm's global prefix if this run came through a link that `npm install --global` made there. */
function linkedPrefix() {
  const prefix = dirname(dirname(process.argv[1]))
  const link = join(prefix, 'lib', 'node_modules', name)
  const isLink = lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()
  return isLink && realpathSync(link) === root ? prefix : undefined
}

function replaceLink(prefix) {
  say(`installing a copy in ${prefix}, which does not need ${root} …`)
  const folder = mkdtempSync(join(tmpdir(), 'strata-pack-'))
  try {
    npm(['pack', '--global=false', '--ignore-scripts', '--silent', `--pack-destination=${folder}`])
    const tarball = join(folder, `${name}-${version}.tgz`)
    npm(['install', '--global', `--prefix=${prefix}`, '--loglevel=error', tarball])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function npm(args) {
  // Standard output belongs to the command that the user ran.
  const { status, error } = spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (status === 0) return
  fail(
    `\`npm ${args[0]}\` failed in ${root}${error ? `: ${error.message}` : ''}: see above, then run the command again`,
  )
}

function say(line) {
  process.stderr.write(`strata: ${line}\n`)
}

function fail(line) {
  say(line)
  process.exit(1)
}
