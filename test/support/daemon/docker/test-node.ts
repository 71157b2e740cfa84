import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeCertificates } from './certificates.ts'
import { type BaseImage, command, importImage, unmountBelow } from './test-engine.ts'

/** A Docker engine in a network namespace of its own: another machine, as far as the network goes. It needs certificates. */
export interface TestNode {
  /** Address on which it publishes apps. */
  readonly address: string
  readonly endpoint: string
  /** Body of `POST /nodes` without a name. */
  readonly body: { endpoint: string; tls_ca: string; tls_cert: string; tls_key: string }
  docker(...args: string[]): string
  kill(): Promise<void>
  start(): Promise<void>
  signal(name: NodeJS.Signals): void
  /** Sets the link to the node down or up. Connections fail at once. */
  link(state: 'down' | 'up'): void
  /** Drops all packets to and from the node, or lets them through again. Connections hang. */
  packets(fate: 'drop' | 'pass'): void
  remove(): Promise<void>
}

/** Starts an engine with mutual TLS behind a link. Call `missingEngine` first. */
export async function startTestNode({
  images = ['node'],
  flags = ['--live-restore'],
}: {
  images?: readonly BaseImage[]
  flags?: readonly string[]
} = {}): Promise<TestNode> {
  const folder = mkdtempSync(join(tmpdir(), 'strata-node-'))
  const id = randomBytes(3).toString('hex')
  const third = Number.parseInt(id.slice(0, 2), 16)
  const fourth = Number.parseInt(id.slice(2, 4), 16) & 0xfc
  const name = `sn${id}`
  const [near, address] = [`10.97.${third}.${fourth + 1}`, `10.97.${third}.${fourth + 2}`]
  const subnet = `10.97.${third}.${fourth}/30`
  const socket = join(folder, 'docker.sock')
  const tls = join(folder, 'tls')
  let engine: ChildProcess | undefined
  command('sysctl', '-qw', 'net.ipv4.ip_forward=1')
  command('ip', 'netns', 'add', name)
  command('ip', 'link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
  command('ip', 'addr', 'add', `${near}/30`, 'dev', name)
  command('ip', 'link', 'set', name, 'up')
  // Without it, packets of a cut link would go to the default gateway.
  command('ip', 'route', 'add', 'unreachable', subnet, 'metric', '4000')
  command('ip', '-n', name, 'link', 'set', 'lo', 'up')
  command('ip', '-n', name, 'addr', 'add', `${address}/30`, 'dev', 'eth0')
  command('ip', '-n', name, 'link', 'set', 'eth0', 'up')
  command('ip', '-n', name, 'route', 'add', 'default', 'via', near)
  makeCertificates(tls, address)
  const inside = (...args: string[]) => command('ip', 'netns', 'exec', name, ...args)

  async function start(): Promise<void> {
    for (const file of ['docker.pid', 'exec/containerd/containerd.pid']) {
      rmSync(join(folder, file), { force: true })
    }
    mkdirSync(folder, { recursive: true })
    const log = openSync(join(folder, 'log'), 'a')
    const place = ['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec')]
    const listen = ['-H', `unix://${socket}`, '-H', `tcp://${address}:2376`, '--tlsverify']
    const pems = ['--tlscacert', join(tls, 'ca.pem'), '--tlscert', join(tls, 'server.pem')]
    const key = ['--tlskey', join(tls, 'server-key.pem'), '--pidfile', join(folder, 'docker.pid')]
    // `ip netns exec` would hide the control groups.
    const args = [`--net=/run/netns/${name}`, 'dockerd', ...place, ...listen, ...pems, ...key]
    engine = spawn('nsenter', [...args, ...flags], { stdio: ['ignore', log, log] })
    closeSync(log)
    for (let waits = 0; waits < 300; waits += 1) {
      if (spawnSync('docker', ['-H', `unix://${socket}`, 'version']).status === 0) return
      if (engine.exitCode !== null) break
      await pause(100)
    }
    throw new Error(`no engine: ${readFileSync(join(folder, 'log'), 'utf8').slice(-2_000)}`)
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const child = engine
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }

  const docker = (...args: string[]) => command('docker', '-H', `unix://${socket}`, ...args)
  const read = (file: string) => readFileSync(join(tls, file), 'utf8')

  await start()
  for (const image of images) importImage(docker, image)
  const endpoint = `tcp://${address}:2376`
  return {
    address,
    endpoint,
    body: {
      endpoint,
      tls_ca: read('ca.pem'),
      tls_cert: read('cert.pem'),
      tls_key: read('key.pem'),
    },
    docker,
    kill: () => end('SIGKILL'),
    start,
    signal: (signal) => void engine?.kill(signal),
    link: (state) => void command('ip', 'link', 'set', name, state),
    packets(fate) {
      for (const chain of ['INPUT', 'OUTPUT', 'FORWARD']) {
        inside('iptables', fate === 'drop' ? '-I' : '-D', chain, '-j', 'DROP')
      }
    },
    async remove() {
      engine?.kill('SIGCONT')
      if (engine?.exitCode !== null || engine.signalCode !== null) await start().catch(() => {})
      try {
        const ids = docker('ps', '-aq').split('\n').filter(Boolean)
        if (ids.length > 0) docker('rm', '-f', ...ids)
      } finally {
        await end('SIGTERM')
        unmountBelow(folder)
        spawnSync('ip', ['netns', 'del', name])
        spawnSync('ip', ['link', 'del', name])
        spawnSync('ip', ['route', 'del', 'unreachable', subnet, 'metric', '4000'])
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
      }
    },
  }
}
