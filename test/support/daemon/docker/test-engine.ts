import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { EngineAddress } from '../../../../daemon/engine/docker-host.ts'

/** Names of the base images that the tests load into their engines. */
export const baseImages = {
  node: 'node:20-local',
  python: 'python:3-local',
  static: 'static:local',
} as const
export type BaseImage = keyof typeof baseImages

/** A Docker engine that tests use, and do not start or end. */
export interface RunningEngine {
  /** Value of DOCKER_HOST. */
  readonly host: string
  /** Address of this host on the engine's bridge, which containers reach. */
  readonly hostAddress: string
  /** Settings of a daemon on this engine. */
  readonly env: Readonly<Record<string, string>>
  /** Runs the docker program. Returns its output; throws if it fails. */
  docker(...args: string[]): string
}

/** A Docker engine of one test file, with a folder, a bridge and networks of its own. */
export interface TestEngine extends RunningEngine {
  /** Folder of images and containers. */
  readonly dataFolder: string
  readonly address: EngineAddress
  /** Kills the engine without a chance to clean up. Its containers may go on. */
  kill(): Promise<void>
  /** Returns the pid of the engine. */
  pid(): number
  /** Resolves when the engine has ended for any reason. */
  ended(): Promise<void>
  /** Sends a signal to the engine, such as SIGSTOP. */
  signal(name: NodeJS.Signals): void
  /** Starts the engine again after `kill`. */
  start(): Promise<void>
  /** Removes all containers, the engine and its folder. */
  remove(): Promise<void>
}

const installer = fileURLToPath(new URL('install.mjs', import.meta.url))

/**
 * Installs an engine, if necessary, with its base images. Returns the reason if this host can run none; the tests are
 * then skipped with the reason.
 */
export function missingEngine(images: readonly BaseImage[] = ['node']): string | undefined {
  const { stdout } = spawnSync(process.execPath, [installer, ...images], { encoding: 'utf8' })
  archives = /^ready (.*)$/m.exec(stdout)?.[1] ?? ''
  return archives === '' ? stdout.trim() || 'the installer of the engine failed' : undefined
}

let archives = ''

/**
 * Starts an engine. `flags` are further arguments of dockerd, such as `--live-restore`. With `diskMb`, its images and
 * containers have a disk of this size in memory.
 */
export async function startTestEngine({
  images = ['node'],
  flags = [],
  diskMb,
}: {
  images?: readonly BaseImage[]
  flags?: readonly string[]
  diskMb?: number
} = {}): Promise<TestEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'strata-engine-'))
  const id = randomBytes(3).toString('hex')
  const bridge = `sd${id}`
  const [second, third] = [
    200 + (Number.parseInt(id.slice(0, 2), 16) % 50),
    Number.parseInt(id.slice(2, 4), 16),
  ]
  const socket = join(folder, 'docker.sock')
  let engine: ChildProcess | undefined
  if (diskMb !== undefined) {
    mkdirSync(join(folder, 'data'))
    command('mount', '-t', 'tmpfs', '-o', `size=${diskMb}m`, 'tmpfs', join(folder, 'data'))
  }
  command('sysctl', '-qw', 'net.ipv4.ip_forward=1')
  command('ip', 'link', 'add', bridge, 'type', 'bridge')
  const hostAddress = `10.${second}.${third}.1`
  command('ip', 'addr', 'add', `${hostAddress}/26`, 'dev', bridge)
  command('ip', 'link', 'set', bridge, 'up')

  async function start(): Promise<void> {
    for (const name of ['docker.pid', 'exec/containerd/containerd.pid']) {
      rmSync(join(folder, name), { force: true })
    }
    mkdirSync(folder, { recursive: true })
    const log = openSync(join(folder, 'log'), 'a')
    const pool = `base=10.${second}.0.0/16,size=26`
    const place = ['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec')]
    const args = [...place, '--pidfile', join(folder, 'docker.pid'), '-H', `unix://${socket}`]
    const network = ['--bridge', bridge, '--default-address-pool', pool]
    engine = spawn('dockerd', [...args, ...network, ...flags], { stdio: ['ignore', log, log] })
    closeSync(log)
    for (let waits = 0; waits < 300; waits += 1) {
      if (spawnSync('docker', ['-H', `unix://${socket}`, 'version']).status === 0) return
      if (engine.exitCode !== null) break
      await pause(100)
    }
    throw new Error(`no engine: ${readFileSync(join(folder, 'log'), 'utf8').slice(-2_000)}`)
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const exit = untilExit()
    engine?.kill(signal)
    await exit
  }

  async function untilExit(): Promise<void> {
    if (!engine || engine.exitCode !== null || engine.signalCode !== null) return
    await once(engine, 'exit')
  }

  const running = runningEngine(`unix://${socket}`, hostAddress)
  const { docker } = running
  await start()
  for (const name of images) importImage(docker, name)
  return {
    ...running,
    dataFolder: join(folder, 'data'),
    address: { kind: 'unix', path: socket },
    kill: () => end('SIGKILL'),
    pid: () => engine?.pid ?? 0,
    ended: untilExit,
    signal: (name) => void engine?.kill(name),
    start,
    async remove() {
      engine?.kill('SIGCONT')
      if (engine?.exitCode !== null || engine.signalCode !== null) await start().catch(() => {})
      const ids = docker('ps', '-aq').split('\n').filter(Boolean)
      if (ids.length > 0) docker('rm', '-f', ...ids)
      // Each network is a bridge of this host.
      const custom = ['--filter', 'type=custom']
      const networks = docker('network', 'ls', '-q', ...custom)
        .split('\n')
        .filter(Boolean)
      if (networks.length > 0) docker('network', 'rm', ...networks)
      await end('SIGTERM')
      unmountBelow(folder)
      spawnSync('ip', ['link', 'del', bridge])
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Returns the engine that listens at a socket of this host. */
export function runningEngine(host: string, hostAddress: string): RunningEngine {
  return {
    host,
    hostAddress,
    env: {
      SERVICE_RUNTIME: 'docker',
      DOCKER_HOST: host,
      SERVICE_IMAGE_NODE: baseImages.node,
      SERVICE_IMAGE_PYTHON: baseImages.python,
      SERVICE_IMAGE_STATIC: baseImages.static,
    },
    docker: (...args) => command('docker', '-H', host, ...args),
  }
}

const path = 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const certificates = '/etc/ssl/certs/ca-certificates.crt'
const changes: Readonly<Record<BaseImage, readonly string[]>> = {
  node: [`ENV NODE_EXTRA_CA_CERTS=${certificates}`, 'WORKDIR /app', 'CMD ["node"]'],
  python: ['ENV PYTHONUNBUFFERED=1', `ENV PIP_CERT=${certificates}`, 'WORKDIR /app'],
  static: ['ENV XDG_DATA_HOME=/tmp', 'ENV XDG_CONFIG_HOME=/tmp'],
}

export function importImage(docker: TestEngine['docker'], name: BaseImage): void {
  const archive = join(archives, `${name}.tar`)
  if (!existsSync(archive)) throw new Error(`no archive ${archive}: call missingEngine first`)
  const flags = [path, `ENV SSL_CERT_FILE=${certificates}`, ...changes[name]]
  docker('import', ...flags.flatMap((change) => ['-c', change]), archive, baseImages[name])
}

export function unmountBelow(folder: string): void {
  for (const line of readFileSync('/proc/mounts', 'utf8').split('\n').reverse()) {
    const mount = line.split(' ')[1] ?? ''
    if (mount.startsWith(`${folder}/`)) spawnSync('umount', [mount])
  }
}

export function command(program: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status === 0) return stdout.trim()
  throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr.trim()}`)
}
