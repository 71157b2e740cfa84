import type { ChildProcess } from 'node:child_process'
import { DaemonError } from '../../errors.ts'
import type { AppSpec, Cell, Clock, OneOffEnd, OneOffIo, OneOffs, Walls } from '../../ports.ts'
import { killMarked } from '../../spawn/kill-marked.ts'
import { sendSignal } from './app-processes.ts'
import { cannotStart, workingFolder } from './launch.ts'
import { markName, processVariables } from './process-variables.ts'

/** Time from SIGTERM to SIGKILL. */
const graceMs = 5_000
/** Maximum time to read the rest of the output after all processes have ended. */
const drainMs = 60_000
/** Variable with the data folder, by which the next daemon finds the programs of a killed one. */
const folderMark = 'STRATA_RUNS'
const groupPrefix = 'run-'

/** Runs one-off programs as processes of this host. The first run ends the programs that a killed daemon left. */
export function createProcessOneOffs({
  dataDir,
  walls,
  clock,
  hostEnv,
}: {
  dataDir: string
  walls: Pick<Walls, 'cell' | 'groups' | 'end'>
  clock: Pick<Clock, 'wait'>
  hostEnv: Readonly<NodeJS.ProcessEnv>
}): OneOffs & { endLeftovers(): Promise<void> } {
  let ready: Promise<void> | undefined

  async function endAll(): Promise<void> {
    for (const group of walls.groups()) if (group.startsWith(groupPrefix)) await walls.end(group)
    await killMarked(`${folderMark}=${dataDir}`)
  }

  function endLeftovers(): Promise<void> {
    ready ??= endAll().catch((error) => {
      ready = undefined
      throw error
    })
    return ready
  }

  async function start(app: AppSpec, cell: Cell, hasInput: boolean): Promise<ChildProcess> {
    const [program = '', ...args] = app.launch.start
    const { memoryMb, cpus, pids } = app.launch
    const { PORT, ...variables } = processVariables(app, {
      port: 0,
      mark: app.name,
      home: cell.home ?? app.folder,
      host: hostEnv,
    })
    const options = {
      cwd: await workingFolder(app),
      env: { ...variables, [folderMark]: dataDir },
      stdio: [hasInput ? 'pipe' : 'ignore', 'pipe', 'pipe'] as ('pipe' | 'ignore')[],
      group: app.name,
      limits: { memoryMb, cpus, pids },
      endsWithDaemon: true as const,
    }
    const child = await cell.spawn(program, args, options).catch((error: unknown) => {
      throw error instanceof DaemonError ? error : cannotStart(program, error)
    })
    child.on('error', () => {})
    return child
  }

  /** Kills every process of the program, also detached ones. */
  async function endProcesses(name: string, child: ChildProcess, cell: Cell) {
    if (child.pid !== undefined) sendSignal(-child.pid, 'SIGKILL')
    await killMarked(`${markName}=${name}`)
    return cell.end(name)
  }

  return {
    endLeftovers,
    async run(app, io) {
      await endLeftovers()
      io.signal.throwIfAborted()
      const cell = await walls.cell(app.projectId)
      const child = await start(app, cell, io.input !== null)
      const exit = exitOf(child)
      const done = new AbortController()
      try {
        io.onStart()
        feed(io, child)
        const taken = Promise.all([take(child, 'stdout', io), take(child, 'stderr', io)])
        taken.catch(() => {})
        const why = watch(child, io, clock, done.signal)
        const exited = await exit
        done.abort()
        const { outOfMemoryMb } = await endProcesses(app.name, child, cell)
        const late = new AbortController()
        const limit = clock.wait(drainMs, late.signal).catch(() => {})
        await Promise.race([taken, limit])
        late.abort()
        const ended = (await why) ?? exited
        const isFailure = ended.kind === 'killed' || (ended.kind === 'exited' && ended.code !== 0)
        return isFailure && outOfMemoryMb !== null
          ? { kind: 'out-of-memory', limitMb: outOfMemoryMb }
          : ended
      } finally {
        done.abort()
        await endProcesses(app.name, child, cell)
        child.stdout?.destroy()
        child.stderr?.destroy()
      }
    },
  }
}

function feed({ input }: OneOffIo, { stdin }: ChildProcess): void {
  if (!stdin) return
  // Ignore EPIPE: the program ended without reading its input, and its exit code is the result.
  stdin.on('error', () => {})
  if (!input) return void stdin.end()
  input.on('error', () => stdin.end())
  input.pipe(stdin)
}

async function take(
  child: ChildProcess,
  stream: 'stdout' | 'stderr',
  { output, signal }: OneOffIo,
): Promise<void> {
  try {
    for await (const chunk of child[stream] ?? []) {
      if (!signal.aborted) await output(chunk, stream)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && !signal.aborted) throw error
  }
}

/** Ends the program at its time limit and when its caller leaves. Resolves with the reason, or undefined. */
async function watch(
  child: ChildProcess,
  { signal, timeoutMs }: OneOffIo,
  clock: Pick<Clock, 'wait'>,
  done: AbortSignal,
): Promise<OneOffEnd | undefined> {
  const until = AbortSignal.any([signal, done])
  const isLate = await clock.wait(timeoutMs, until).then(
    () => true,
    () => false,
  )
  if (!isLate && !signal.aborted) return undefined
  const { pid } = child
  if (pid === undefined) return undefined
  sendSignal(-pid, 'SIGTERM')
  await clock.wait(graceMs, done).then(
    () => sendSignal(-pid, 'SIGKILL'),
    () => {},
  )
  return { kind: isLate ? 'timed-out' : 'aborted' }
}

/** Resolves when the first process of the program ends. */
function exitOf(child: ChildProcess): Promise<OneOffEnd> {
  return new Promise((resolve) => {
    const end = (code: number | null, signal: string | null) =>
      resolve(signal === null ? { kind: 'exited', code: code ?? -1 } : { kind: 'killed', signal })
    const hasEnded = child.exitCode !== null || child.signalCode !== null
    if (hasEnded) end(child.exitCode, child.signalCode)
    else child.once('exit', end)
  })
}
