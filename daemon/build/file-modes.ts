import { DaemonError } from '../errors.ts'
import { runGroup } from '../spawn/run-group.ts'

interface Options {
  /** PATH of the programs `find` and `chmod`. */
  readonly path: string
  readonly signal: AbortSignal
}

/** Makes all files below a folder read-only. ReleaseFolders stay writable, so that their files can be removed. */
export function makeReadOnly(folder: string, options: Options): Promise<void> {
  return changeModes(folder, 'a-w', options)
}

/** Makes all files below a folder writable for their owner. */
export function makeWritable(folder: string, options: Options): Promise<void> {
  return changeModes(folder, 'u+w', options)
}

/** Uses `find` and `chmod`, which are much faster than Node's calls for thousands of files. */
async function changeModes(folder: string, mode: string, { path, signal }: Options): Promise<void> {
  const end = await runGroup({
    command: 'find',
    args: [folder, '-type', 'f', '-exec', 'chmod', mode, '{}', '+'],
    cwd: folder,
    env: { PATH: path },
    timeoutMs: 120_000,
    graceMs: 1000,
    signal,
    onOutput: () => {},
  })
  signal.throwIfAborted()
  if (end.kind === 'exited' && end.code === 0) return
  throw new DaemonError('internal', `could not change file permissions in ${folder}`)
}
