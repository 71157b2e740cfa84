import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { runTool, type Tools } from './tools.ts'

/** The mount and IPC namespaces of a project, kept by open files of the daemon. */
export interface Namespace {
  /** Arguments for nsenter. */
  readonly enter: readonly string[]
  close(): void
}

/** One mount inside a namespace. `args` are the arguments of the mount program. */
export interface MountStep {
  readonly args: readonly string[]
  /** True if the namespace is useful without the mount. */
  readonly isOptional?: boolean
}

export interface OpenedNamespace {
  readonly namespace: Namespace
  /** The reason of each failed optional step, by its arguments. */
  readonly failed: ReadonlyMap<MountStep, string>
}

/**
 * Creates namespaces in which mounts of the host appear, but not the reverse. Nothing is pinned on the disk: the
 * namespaces end with the daemon and their last process. Throws an error with the reason if a step fails.
 */
export async function openNamespace(
  steps: readonly MountStep[],
  tools: Tools,
): Promise<OpenedNamespace> {
  const holder = spawn(tools.unshare, ['--mount', '--ipc', '--propagation', 'slave', tools.cat], {
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd: '/',
    env: {},
  })
  const files: number[] = []
  const close = () => {
    for (const file of files.splice(0)) closeSync(file)
  }
  try {
    await answered(holder)
    for (const kind of ['mnt', 'ipc']) files.push(openSync(`/proc/${holder.pid}/ns/${kind}`, 'r'))
    const [mount, ipc] = files.map((file) => `/proc/${process.pid}/fd/${file}`)
    const enter = [`--mount=${mount}`, `--ipc=${ipc}`]
    const failed = new Map<MountStep, string>()
    for (const step of steps) {
      try {
        await runTool(tools.nsenter, [...enter, tools.mount, ...step.args])
      } catch (error) {
        if (!step.isOptional) throw error
        failed.set(step, (error as Error).message)
      }
    }
    return { namespace: { enter, close }, failed }
  } catch (error) {
    close()
    throw error
  } finally {
    holder.kill('SIGKILL')
  }
}

/** Resolves when the last program of the chain runs: `cat` repeats its input. */
async function answered(holder: ChildProcess): Promise<void> {
  let stderr = ''
  holder.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  holder.stdin?.on('error', () => {})
  holder.stdin?.write('\n')
  const gone = once(holder, 'close').then(() => {
    throw new Error(stderr.trim() || 'the program unshare ended')
  })
  if (holder.stdout) await Promise.race([once(holder.stdout, 'data'), gone])
  gone.catch(() => {})
}
