import { DaemonError } from '../errors.ts'
import { runGroup } from '../spawn/run-group.ts'

interface Options {
  /** Where `find` and `chmod` are. */
  readonly path: string
  readonly signal: AbortSignal
}

/** Makes all files below a folder read-only. Folders stay as they are: what is in them must be removable. */
export function forbidWriting(folder: string, options: Options): Promise<void> {
  return changeModes(folder, 'a-w', options)
}

/** Lets their owner write to all files below a folder. */
export function allowWriting(folder: string, options: Options): Promise<void> {
  return changeModes(folder, 'u+w', options)
}

/** Thousands of files: two programs are far quicker than as many calls from here. */
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
  throw new DaemonError('internal', `the modes of the files in ${folder} could not be set`)
}
