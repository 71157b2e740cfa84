import type { Environment } from '../../domain/records.ts'
import { isLive } from '../../domain/states.ts'
import { createStreamMask } from '../../domain/stream-mask.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, OneOffEnd, OneOffs, Store } from '../../ports.ts'
import { auditRow } from '../ground/audit-row.ts'
import type { Actor, CommandUseCases } from '../ground/use-cases.ts'
import type { Admission, Reservation } from './admission.ts'
import { withoutSecrets } from './app-variables.ts'
import type { Launcher } from './launcher.ts'
import type { ReleaseFolders } from './release-folders.ts'
import type { Branch } from './trash.ts'

/** A command that a person runs beside an app. */
type OneOffRequest = Parameters<CommandUseCases['run']>[1]

/** Runs commands in the release of an environment, beside its app. */
export interface OneOffRuns {
  /**
   * Runs a command until it ends. Secrets in its output are masked. Throws `conflict` if the environment is not live,
   * `unavailable` if no memory is free, `throttled` if too many commands run, `unprocessable` if it can't start.
   */
  run(environmentId: number, request: OneOffRequest, actor: Actor): Promise<OneOffEnd>
  /** Ends the commands of a branch. Resolves when their processes have ended. */
  endOf(branch: Branch): Promise<void>
  /** Ends all commands, and refuses new ones. */
  stop(): Promise<void>
}

interface Run {
  readonly branch: Branch
  readonly abort: AbortController
  readonly ended: Promise<unknown>
}

const maxRuns = 50
const maxRunsOfProject = 10

export function createOneOffRuns(deps: {
  store: Store
  oneOffs: OneOffs
  launcher: Pick<Launcher, 'specOf'>
  admission: Pick<Admission, 'reserve'>
  folders: Pick<ReleaseFolders, 'hold'>
  clock: Clock
  ids: () => string
}): OneOffRuns {
  const { store, clock } = deps
  const runs = new Set<Run>()
  let isStopped = false

  async function run(row: Environment, request: OneOffRequest, actor: Actor, signal: AbortSignal) {
    const reservation = await reserve(row)
    // The branch may be deployed again meanwhile, which would remove the release.
    const letGo = row.release === null ? () => {} : deps.folders.hold(row.release)
    try {
      const spec = await deps.launcher.specOf(row)
      const start = request.command
      const { startHasVariables, ...launch } = spec.launch
      const name = `run-${row.id}-${deps.ids()}`
      const shown = withoutSecrets(start.join(' '), spec.env).slice(0, 200)
      const audit = (kind: 'command_started' | 'command_ended', detail: string) =>
        store.audit.write(auditRow(kind, { environment: row }, detail, actor, clock.now()))
      await audit('command_started', `\`${shown}\` was started`)
      const masks = masksOf(spec.env)
      let end: OneOffEnd | undefined
      try {
        end = await deps.oneOffs.run(
          { ...spec, name, launch: { ...launch, start } },
          {
            ...request,
            signal,
            output: async (chunk, stream) => {
              const ready = masks[stream].push(chunk)
              if (ready.byteLength > 0) await request.output(ready, stream)
            },
          },
        )
        for (const stream of ['stdout', 'stderr'] as const) {
          const left = masks[stream].flush()
          if (left.byteLength > 0 && !signal.aborted) await request.output(left, stream)
        }
        return end
      } finally {
        await audit('command_ended', `\`${shown}\` ${end ? oneOffEndText(end) : 'did not start'}`)
      }
    } finally {
      letGo()
      reservation.release()
    }
  }

  async function reserve({ launch, nodeId, ...row }: Environment): Promise<Reservation> {
    const memoryMb = launch?.memoryMb ?? row.memoryMb
    const reserved = await deps.admission.reserve({
      ...{ memoryMb, nodeId },
      replaces: undefined,
      aheadMb: 0,
    })
    if (reserved.kind === 'placed') return reserved.reservation
    throw new DaemonError(
      'unavailable',
      `no memory to run the command: it may use ${memoryMb} MiB, as the app; pause or destroy another environment`,
    )
  }

  function requirePlace(projectId: number): void {
    const own = [...runs].filter(({ branch }) => branch.projectId === projectId)
    if (runs.size < maxRuns && own.length < maxRunsOfProject) return
    throw new DaemonError('throttled', 'too many commands run: wait until one ends', {
      details: { retry_after: 30 },
    })
  }

  return {
    async run(environmentId, request, actor) {
      const row = await store.environments.find(environmentId)
      if (!row) throw new DaemonError('not-found', `no environment ${environmentId}`)
      if (!isLive(row.state)) {
        throw new DaemonError(
          'conflict',
          `environment ${row.id} is ${row.state}: a command needs a live one`,
        )
      }
      if (isStopped) throw new DaemonError('unavailable', 'the daemon is stopping: try again later')
      requirePlace(row.projectId)
      const abort = new AbortController()
      const work = run(row, request, actor, AbortSignal.any([abort.signal, request.signal]))
      const entry: Run = { branch: row, abort, ended: work.catch(() => {}) }
      runs.add(entry)
      try {
        return await work
      } finally {
        runs.delete(entry)
      }
    },
    async endOf({ projectId, branch }) {
      const own = [...runs].filter(
        (each) => each.branch.projectId === projectId && each.branch.branch === branch,
      )
      for (const { abort } of own) abort.abort()
      await Promise.all(own.map(({ ended }) => ended))
    },
    async stop() {
      isStopped = true
      for (const { abort } of runs) abort.abort()
      await Promise.all([...runs].map(({ ended }) => ended))
    },
  }
}

function masksOf(env: Readonly<Record<string, unknown>>) {
  const secrets = Object.values(env).flatMap((value) =>
    typeof value === 'object' && value !== null && 'reveal' in value
      ? [(value as { reveal(): string }).reveal()]
      : [],
  )
  return { stdout: createStreamMask(secrets), stderr: createStreamMask(secrets) }
}

/** Returns the end of a command as the rest of a sentence. */
export function oneOffEndText(end: OneOffEnd): string {
  switch (end.kind) {
    case 'exited':
      return `ended with exit code ${end.code}`
    case 'killed':
      return `was ended by ${end.signal}`
    case 'out-of-memory':
      return `ran out of memory: limit ${end.limitMb} MB`
    case 'timed-out':
      return 'was ended at its time limit'
    case 'aborted':
      return 'was ended, because its caller left or its branch ended'
  }
}
