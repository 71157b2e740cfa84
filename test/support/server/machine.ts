import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { noWalls } from '../walls/host.ts'

/** The reason that no server can be installed here; undefined if it can. */
export const noServer = noWalls

/** Folders of the machine that a server changes. Each is an empty folder of the test inside the namespace. */
const ownFolders = [
  '/opt',
  '/var/lib',
  '/etc/systemd/system',
  '/usr/local/bin',
  '/run/systemd',
  '/root',
]

export interface Result {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A mount namespace in which the paths of a server belong to the test, and a stand-in for systemctl runs. */
export interface Machine {
  readonly folder: string
  /** Returns the place of a path of the machine outside of its namespace. */
  place(path: string): string
  /** Runs a program inside. */
  run(
    program: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<Result>
  /** Runs `strata` of a package folder. */
  strata(args: readonly string[], packageDir?: string): Promise<Result>
  journal(): string
  /** Ends all processes of the machine and removes its files. */
  remove(): Promise<void>
}

const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** Creates a machine. `marker` is a text that the environment of every process of the test's apps contains. */
export async function createMachine(marker: string): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'strata-machine-'))
  const place = (path: string) => join(folder, path.slice(1).replaceAll('/', '-'))
  const placeOf = (path: string) => {
    const own = ownFolders.find((each) => path === each || path.startsWith(`${each}/`))
    return own === undefined ? path : join(place(own), path.slice(own.length))
  }
  for (const path of ownFolders) mkdirSync(place(path))
  mkdirSync(join(place('/run/systemd'), 'system'))
  copyFileSync(
    fileURLToPath(new URL('systemctl.mjs', import.meta.url)),
    join(place('/usr/local/bin'), 'systemctl'),
  )
  const mounts = ownFolders.map((path) => `mount --bind '${place(path)}' '${path}'`)
  const holder = spawn(
    'unshare',
    [
      '--mount',
      '--propagation',
      'private',
      'sh',
      '-c',
      [...mounts, 'echo up', 'exec cat'].join(' && '),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  await once(holder.stdout, 'data')

  async function run(
    program: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Result> {
    const path = `/usr/local/bin:${process.env.PATH}`
    const child = spawn(
      'nsenter',
      [`--mount=/proc/${holder.pid}/ns/mnt`, '--wdns=/', program, ...args],
      {
        env: {
          ...process.env,
          HOME: '/root',
          XDG_CONFIG_HOME: '',
          XDG_STATE_HOME: '',
          ...env,
          PATH: path,
        },
      },
    )
    child.stdin.end()
    return collect(child)
  }

  return {
    folder,
    place: placeOf,
    run,
    strata: (args, packageDir = repository) =>
      run(process.execPath, [join(packageDir, 'bin/strata.js'), ...args]),
    journal: () => readFileSync(placeOf('/run/systemd/journal.log'), 'utf8'),
    async remove() {
      for (const pid of processesWith(holder, marker)) kill(pid)
      holder.kill('SIGKILL')
      await once(holder, 'exit')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function collect(child: ChildProcess): Promise<Result> {
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
    })
  }
  // Not `close`: the daemon may have inherited the pipes.
  await once(child, 'exit')
  await new Promise((resolve) => setImmediate(resolve))
  return { code: child.exitCode, ...texts }
}

/** Returns the processes in the namespace of the holder, and those of apps, which have namespaces of their own. */
function processesWith(holder: ChildProcess, marker: string): number[] {
  const namespace = linkOf(holder.pid ?? 0)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== holder.pid && pid !== process.pid)
    .filter((pid) => linkOf(pid) === namespace || environOf(pid).includes(marker))
}

function linkOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/mnt`)
  } catch {
    return `${pid}`
  }
}

function environOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return ''
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}
