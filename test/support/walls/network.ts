import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('port-wall-program.ts', import.meta.url))

export interface Network {
  /** Runs a program in the namespace. Returns its standard output. */
  run(program: string, ...args: readonly string[]): string
  /** Starts the program of the port wall; see its arguments. */
  startWall(...args: readonly string[]): { child: ChildProcess; output: Promise<string> }
  /** Tries to connect as a user. Returns `open` or the error code for each `host port`. */
  connect(uid: number, targets: readonly string[]): Record<string, string>
  /** Starts a program of a user that listens on a port of all addresses. */
  listenAs(uid: number, port: number): Promise<ChildProcess>
  close(): void
}

/** The reason why this host can't run tests of the port wall; '' if it can. */
export const networkProblem =
  process.getuid?.() !== 0
    ? 'needs root'
    : spawnSync('unshare', ['--net', 'ip', 'rule', 'show']).status === 0
      ? ''
      : 'needs unshare and ip'

/** Address of an interface of the namespace. The address 10.9.0.2 is another namespace on the same cable. */
export const ownAddress = '10.9.0.1'
export const otherAddress = '10.9.0.2'

/**
 * Creates two network namespaces with a cable between them. Both listen on the ports 20999 (outside every range) and
 * 21500, on all addresses.
 */
export async function createNetwork(): Promise<Network & { fromOutside: Network['connect'] }> {
  const [own, other] = [await namespace(), await namespace()]
  const ip = (pid: number, ...args: string[]) =>
    execFileSync('nsenter', [`--net=/proc/${pid}/ns/net`, 'ip', ...args], { encoding: 'utf8' })
  const pids = [own.pid ?? 0, other.pid ?? 0] as const
  ip(pids[0], 'link', 'add', 'v0', 'type', 'veth', 'peer', 'name', 'v1', 'netns', String(pids[1]))
  for (const [pid, device, address] of [
    [pids[0], 'v0', ownAddress],
    [pids[1], 'v1', otherAddress],
  ] as const) {
    ip(pid, 'addr', 'add', `${address}/24`, 'dev', device)
    ip(pid, 'link', 'set', 'lo', 'up')
    ip(pid, 'link', 'set', device, 'up')
  }
  const listeners = await Promise.all(pids.map((pid) => listen(pid, 0, [20_999, 21_500])))
  const enter = (pid: number) => [`--net=/proc/${pid}/ns/net`]
  const connectFrom = (pid: number) => (uid: number, targets: readonly string[]) =>
    connectAs(uid, targets, ['nsenter', ...enter(pid)])
  return {
    run: (name, ...args) =>
      execFileSync('nsenter', [...enter(pids[0]), name, ...args], { encoding: 'utf8' }),
    startWall(...args) {
      const child = spawn(
        'nsenter',
        [...enter(pids[0]), process.execPath, '--import', 'tsx', program, ...args],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      const output = once(child.stdout, 'data').then(([data]) => String(data))
      output.catch(() => {})
      return { child, output }
    },
    connect: connectFrom(pids[0]),
    fromOutside: connectFrom(pids[1]),
    listenAs: (uid, port) => listen(pids[0], uid, [port]),
    close() {
      for (const child of [...listeners, own, other]) child.kill('SIGKILL')
    },
  }
}

/** Tries to connect as a user, in this namespace or by a wrapper program in another one. */
export function connectAs(
  uid: number,
  targets: readonly string[],
  wrapper: readonly string[] = [],
): Record<string, string> {
  const [name = '', ...args] = [...wrapper, process.execPath, '-e', attempts, String(uid)]
  return JSON.parse(execFileSync(name, [...args, ...targets], { encoding: 'utf8' }))
}

async function namespace(): Promise<ChildProcess> {
  const child = spawn(
    'unshare',
    ['--net', process.execPath, '-e', 'console.log(1);setInterval(()=>{},1e6)'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  await once(child.stdout, 'data')
  return child
}

async function listen(pid: number, uid: number, ports: readonly number[]): Promise<ChildProcess> {
  const code = `process.setgroups([]);process.setgid(${uid});process.setuid(${uid});const net=require('node:net');for(const port of ${JSON.stringify(ports)})net.createServer((s)=>s.on('error',()=>{}).end()).listen(port,'::');console.log(1)`
  const args = [`--net=/proc/${pid}/ns/net`, process.execPath, '-e', code]
  const child = spawn('nsenter', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

const attempts = `const [uid, ...targets] = process.argv.slice(1)
process.setgroups([]); process.setgid(Number(uid)); process.setuid(Number(uid))
const reach = (target) => new Promise((resolve) => {
  const [host, port] = target.split(' ')
  const socket = require('node:net').connect({ host, port: Number(port), timeout: 1500 })
  const end = (result) => { socket.destroy(); resolve([target, result]) }
  socket.on('connect', () => end('open')).on('error', (e) => end(e.code)).on('timeout', () => end('timeout'))
})
Promise.all(targets.map(reach)).then((all) => console.log(JSON.stringify(Object.fromEntries(all))))`
