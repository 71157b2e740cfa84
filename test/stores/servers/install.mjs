// Installs missing test servers: `node install.mjs [<kind>…]`. Prints the reason if a server cannot be installed; its
// tests are skipped. Downloads are kept in .cache/stores. Versions and checksums are in jars.json; `--record` updates
// the checksums after a version change.
import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const cache = fileURLToPath(new URL('../../../.cache/stores/', import.meta.url))
const jars = JSON.parse(readFileSync(join(here, 'jars.json'), 'utf8'))

const mariadb = ['mariadb-server-core', 'mariadb-client']
const copyJars = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies'

const installers = {
  postgres: () => debian(['postgresql'], () => hasPostgres()),
  mysql: () =>
    both(fetchPackages, () => debian(mariadb, () => has('mariadb-install-db', '--help'))),
  mongodb: () => both(fetchPackages, () => fetchJars('mongodb')),
  elasticsearch: () => fetchJars('elasticsearch', moveHttpModule),
  sqlserver: () => {
    const parser = () => fetchOnce('sqlserver', fetchParser, fetchFacade)
    return `has no server to install; what parses its SQL ${both(needMono, parser)}`
  },
  dynamodb: () => both(needJava, fetchPackages),
}

function both(...steps) {
  const outcomes = steps.map((step) => step())
  return outcomes.includes('is installed') ? 'is installed' : 'is here'
}

const isRecording = process.argv.includes('--record')
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
for (const [kind, install] of Object.entries(installers)) {
  if (asked.length > 0 && !asked.includes(kind)) continue
  process.stdout.write(`${kind} ${outcome(install)}\n`)
}

function outcome(install) {
  try {
    return install()
  } catch (error) {
    return `can not be installed: ${error.message}`
  }
}

/** Downloads the dependencies in `<kind>/pom.xml`. */
function fetchJars(kind, arrange) {
  needJava()
  const fetch = (lib, version) => {
    debian(['maven'], () => has('mvn'))
    const settings = [`-Dserver.version=${version}`, `-DoutputDirectory=${lib}`]
    run('mvn', ['-B', '-q', '-f', join(here, kind, 'pom.xml'), copyJars, ...settings])
  }
  return fetchOnce(kind, fetch, arrange)
}

/** Creates a cache folder: `fetch` fills its `lib/`, then `arrange` may rearrange the folder. */
function fetchOnce(kind, fetch, arrange = () => {}) {
  const { version, files } = jars[kind]
  const target = join(cache, `${kind}-${version}`)
  if (existsSync(target) && !isRecording) return 'is here'
  const staging = `${target}.${randomUUID()}`
  const lib = join(staging, 'lib')
  mkdirSync(lib, { recursive: true })
  try {
    fetch(lib, version)
    check(kind, lib, files)
    arrange(staging)
    if (isRecording) rmSync(target, { recursive: true, force: true })
    moveUnlessThere(staging, target)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
  return 'is installed'
}

/** Tolerates that another run created the folder first. */
function moveUnlessThere(from, to) {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!existsSync(to)) throw error
  }
}

function check(kind, lib, expected) {
  const names = readdirSync(lib).sort()
  const found = Object.fromEntries(names.map((name) => [name, sha256(join(lib, name))]))
  if (isRecording) {
    jars[kind].files = found
    writeFileSync(join(here, 'jars.json'), `${JSON.stringify(jars, undefined, 2)}\n`)
    return
  }
  const all = new Set([...Object.keys(expected), ...names])
  const wrong = [...all].filter((name) => expected[name] !== found[name])
  if (wrong.length > 0) throw new Error(`checksums differ from jars.json: ${wrong.join(', ')}`)
}

/** Installs DynamoDB Local, and the clients that the tests of the servers use. */
function fetchPackages() {
  const lock = readFileSync(join(here, 'package-lock.json'), 'utf8')
  const mark = join(here, 'node_modules', '.installed')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return 'is here'
  run('npm', ['ci', '--ignore-scripts', '--prefix', here])
  writeFileSync(mark, lock)
  return 'is installed'
}

/** Moves the HTTP module into a plugin folder with the descriptor from its jar, as the server expects. */
function moveHttpModule(folder) {
  const lib = join(folder, 'lib')
  const module = join(folder, 'modules/transport-netty4')
  mkdirSync(module, { recursive: true })
  const names = readdirSync(lib).filter((name) => /^(netty|transport-netty4)-/.test(name))
  for (const name of names) renameSync(join(lib, name), join(module, name))
  const jar = names.find((name) => name.startsWith('transport-netty4'))
  const inside = 'META-INF/es-plugins/transport-netty4/plugin-descriptor.properties'
  run('jar', ['xf', jar, inside], module)
  renameSync(join(module, inside), join(module, 'plugin-descriptor.properties'))
  rmSync(join(module, 'META-INF'), { recursive: true })
}

/** Installs Microsoft's T-SQL parser, a .NET library inside a SQL Server client package for Python. */
function fetchParser(lib, version) {
  debian(['python3-pip'], () => has('pip3'))
  const wheel = ['--no-deps', '--only-binary=:all:', '--platform=manylinux1_x86_64']
  run('pip3', ['download', ...wheel, `--dest=${lib}`, `mssql-cli==${version}`])
  const [archive] = readdirSync(lib)
  const parser = 'Microsoft.SqlServer.TransactSql.ScriptDom.dll'
  const inside = `mssqlcli/mssqltoolsservice/bin/${parser}`
  const extract = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extract(sys.argv[2])'
  run('python3', ['-c', extract, archive, inside], lib)
  renameSync(join(lib, inside), join(lib, parser))
  rmSync(join(lib, 'mssqlcli'), { recursive: true })
  rmSync(join(lib, archive))
}

/** Extracts netstandard.dll for Mono from its Debian package, which depends on a hundred other packages. */
function fetchFacade(folder) {
  if (!has('apt-get'))
    throw new Error('no package with netstandard.dll for Mono: expected a system with apt-get')
  run('apt-get', ['download', 'mono-devel'], folder)
  const [archive] = readdirSync(folder).filter((name) => name.endsWith('.deb'))
  const unpacked = join(folder, 'mono-devel')
  run('dpkg-deb', ['-x', archive, unpacked], folder)
  const facade = 'netstandard.dll'
  renameSync(join(unpacked, 'usr/lib/mono/4.5/Facades', facade), join(folder, 'lib', facade))
  rmSync(unpacked, { recursive: true })
  rmSync(join(folder, archive))
}

/** Installs the C# compiler and runtime. */
function needMono() {
  return debian(['mono-mcs', 'mono-runtime'], () => has('mcs') && has('mono'))
}

function needJava() {
  return debian(['default-jdk-headless'], () => has('javac', '-version'))
}

/** Installs Debian packages unless `isHere` returns true. Throws the reason if they cannot be installed. */
function debian(packages, isHere) {
  if (isHere()) return 'is here'
  const names = packages.join(' ')
  if (!has('apt-get')) throw new Error(`install ${names}`)
  if (process.getuid?.() !== 0) throw new Error(`run apt-get install ${names} as root`)
  const args = ['install', '-y', '--no-install-recommends', ...packages]
  // The package lists of a fresh machine are empty or outdated.
  if (spawnSync('apt-get', args, { env: quiet() }).status !== 0) {
    run('apt-get', ['update'])
    run('apt-get', args)
  }
  if (!isHere()) throw new Error(`installing ${names} did not provide the program`)
  return 'is installed'
}

function hasPostgres() {
  return has('initdb') || existsSync('/usr/lib/postgresql')
}

function has(program, question = '--version') {
  return spawnSync(program, [question]).error === undefined
}

function run(program, args, cwd = here) {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: quiet(),
  })
  if (error) throw error
  if (status === 0) return
  const last = `${stdout}${stderr}`.trim().split('\n').slice(-5).join('\n')
  throw new Error(`${program} ${args[0]} ended with ${status}: ${last}`)
}

function quiet() {
  return { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
}

function sha256(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
