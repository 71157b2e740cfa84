// Installs a Docker engine and makes base images without a registry: `node install.mjs [node] [python] [static]`.
// Prints `ready <folder of the image archives>`, or the reason why there is no engine. Needs root, Debian and its archive.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const folder = process.env.STRATA_BASE_IMAGES ?? join(tmpdir(), 'strata-base-images')
const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' }

/** Additions of each image to Debian. */
const flavours = {
  node: addNode,
  python: (root) => install(root, ['python3', 'python3-pip', 'python3-venv'], allowPip),
  static: (root) => install(root, ['caddy'], () => {}),
}

try {
  if (process.getuid?.() !== 0) throw new Error('a Docker engine needs root')
  mkdirSync(folder, { recursive: true })
  needPrograms()
  const asked = process.argv.slice(2)
  for (const name of asked.length > 0 ? asked : ['node']) make(name)
  process.stdout.write(`ready ${folder}\n`)
} catch (error) {
  process.stdout.write(`no engine: ${error.message}\n`)
}

function needPrograms() {
  const has = (program) => spawnSync('which', [program]).status === 0
  const missing = [
    ...(has('dockerd') ? [] : ['docker.io']),
    ...(has('iptables') ? [] : ['iptables']),
    ...(has('debootstrap') ? [] : ['debootstrap']),
  ]
  if (missing.length === 0) return
  run('apt-get', ['update', '-qq'])
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing])
}

/** Makes the archive of an image. Several calls at once make it twice, and the last one stays. */
function make(name) {
  const archive = join(folder, `${name}.tar`)
  if (existsSync(archive)) return
  const add = flavours[name]
  if (!add) throw new Error(`no base image ${name}: expected ${Object.keys(flavours).join(', ')}`)
  const root = join(folder, `root-${name}-${process.pid}`)
  try {
    unpackDebian(root)
    add(root)
    pack(root, archive)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function unpackDebian(root) {
  const archive = join(folder, 'debian.tar')
  if (existsSync(archive)) {
    mkdirSync(root)
    run('tar', ['-C', root, '-xf', archive])
    devices(root)
    return
  }
  const release = ['--variant=minbase', '--include=ca-certificates', 'bookworm', root]
  run('debootstrap', [...release, ...mirror()])
  writeFileSync(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  // The certificates of this machine: a network may have a certificate authority of its own.
  copyFileSync(
    '/etc/ssl/certs/ca-certificates.crt',
    join(root, 'etc/ssl/certs/ca-certificates.crt'),
  )
  run('chroot', [root, 'useradd', '-m', '-u', '1000', 'app'])
  pack(root, archive)
}

/** Returns the mirror of this machine as an argument; none for the default mirror of debootstrap. */
function mirror() {
  const lists = readdirSync('/etc/apt/sources.list.d', { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join('/etc/apt/sources.list.d', entry.name), 'utf8'))
  const url = /^(?:URIs:|deb(?: \[[^\]]*\])?) *(https?:\S*debian\S*)/m.exec(lists.join('\n'))?.[1]
  return url === undefined ? [] : [url]
}

function addNode(root) {
  const libraries = spawnSync('ldd', [process.execPath], { encoding: 'utf8' }).stdout
  for (const [path] of libraries.matchAll(/\/[^\s)]+/g)) {
    const target = join(root, path)
    if (existsSync(target)) continue
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(path, target)
  }
  copyFileSync(process.execPath, join(root, 'usr/bin/node'))
  const modules = run('npm', ['root', '-g']).trim()
  cpSync(join(modules, 'npm'), join(root, 'usr/lib/node_modules/npm'), { recursive: true })
  for (const name of ['npm', 'npx']) {
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr/bin', name))
  }
}

function install(root, packages, finish) {
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'))
  run('chroot', [root, 'apt-get', 'update', '-qq'])
  run('chroot', [root, 'apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...packages])
  rmSync(join(root, 'etc/resolv.conf'))
  finish(root)
}

/** Debian forbids pip to install outside of a virtual environment. The official image allows it. */
function allowPip(root) {
  symlinkSync('python3', join(root, 'usr/bin/python'))
  const lib = join(root, 'usr/lib')
  for (const name of readdirSync(lib).filter((each) => /^python3\.\d+$/.test(each))) {
    rmSync(join(lib, name, 'EXTERNALLY-MANAGED'), { force: true })
  }
}

function devices(root) {
  const numbers = { null: '3', zero: '5', random: '8', urandom: '9' }
  mkdirSync(join(root, 'dev'), { recursive: true })
  for (const [name, minor] of Object.entries(numbers)) {
    spawnSync('mknod', ['-m', '666', join(root, 'dev', name), 'c', '1', minor])
  }
}

function pack(root, archive) {
  for (const path of ['var/lib/apt/lists', 'var/cache/apt', 'usr/share/doc', 'usr/share/man']) {
    rmSync(join(root, path), { recursive: true, force: true })
    mkdirSync(join(root, path), { recursive: true })
  }
  const part = `${archive}.${process.pid}`
  run('tar', ['-C', root, '--numeric-owner', '--exclude=./dev/*', '-cf', part, '.'])
  renameSync(part, archive)
}

function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    env,
    encoding: 'utf8',
    timeout: 600_000,
    maxBuffer: 64 * 2 ** 20,
  })
  if (status === 0) return stdout
  const reason = error?.message ?? stderr.trim().split('\n').at(-1)
  throw new Error(`${command} ${args[0]} failed: ${reason}`)
}
