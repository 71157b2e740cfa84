// Installs the servers of the tests that this machine has not: `node install.mjs`, or with kinds of store after it.
// What can't be had is told with the reason, and its tests are skipped. What is fetched stays in .cache/stores,
// its versions and checksums in jars.json; `--record` writes the checksums after a change of version.
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

const mariadb = ['mariadb-server-core', 'mariadb-client-core']
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

/** Fetches what `<kind>/pom.xml` names. */
function fetchJars(kind, arrange) {
  needJava()
  const fetch = (lib, version) => {
    debian(['maven'], () => has('mvn'))
    const settings = [`-Dserver.version=${version}`, `-DoutputDirectory=${lib}`]
    run('mvn', ['-B', '-q', '-f', join(here, kind, 'pom.xml'), copyJars, ...settings])
  }
  return fetchOnce(kind, fetch, arrange)
}

/** Has `fetch` fill `lib/` of a folder of the cache, which `arrange` may change then. */
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

/** Another run may be first. */
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
  if (wrong.length > 0) throw new Error(`not what jars.json says: ${wrong.join(', ')}`)
}

/** DynamoDB Local, and the clients with which the tests of the servers ask them. */
function fetchPackages() {
  const lock = readFileSync(join(here, 'package-lock.json'), 'utf8')
  const mark = join(here, 'node_modules', '.installed')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return 'is here'
  run('npm', ['ci', '--ignore-scripts', '--prefix', here])
  writeFileSync(mark, lock)
  return 'is installed'
}

/** The server loads what speaks HTTP from a folder with a description, which this module carries in its jar. */
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

/** Microsoft's parser of T-SQL, out of a client of SQL Server that Python's registry has, whatever this machine is. */
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

/** What leads a library that is built for .NET Standard to what Mono has; its package needs a hundred others. */
function fetchFacade(folder) {
  if (!has('apt-get')) throw new Error('only Debian is known to have netstandard.dll for Mono')
  run('apt-get', ['download', 'mono-devel'], folder)
  const [archive] = readdirSync(folder).filter((name) => name.endsWith('.deb'))
  const unpacked = join(folder, 'mono-devel')
  run('dpkg-deb', ['-x', archive, unpacked], folder)
  const facade = 'netstandard.dll'
  renameSync(join(unpacked, 'usr/lib/mono/4.5/Facades', facade), join(folder, 'lib', facade))
  rmSync(unpacked, { recursive: true })
  rmSync(join(folder, archive))
}

/** What compiles and runs C#. */
function needMono() {
  return debian(['mono-mcs', 'mono-runtime'], () => has('mcs') && has('mono'))
}

function needJava() {
  return debian(['default-jdk-headless'], () => has('javac', '-version'))
}

/** Throws why the packages can not be installed where `isHere` says that they are not. */
function debian(packages, isHere) {
  if (isHere()) return 'is here'
  const names = packages.join(' ')
  if (!has('apt-get')) throw new Error(`install ${names}`)
  if (process.getuid?.() !== 0) throw new Error(`run apt-get install ${names} as root`)
  const args = ['install', '-y', '--no-install-recommends', ...packages]
  // The lists of a fresh machine are empty, or older than the packages.
  if (spawnSync('apt-get', args, { env: quiet() }).status !== 0) {
    run('apt-get', ['update'])
    run('apt-get', args)
  }
  if (!isHere()) throw new Error(`${names} did not bring it`)
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
