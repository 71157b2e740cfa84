import { setTimeout as pause } from 'node:timers/promises'
import type { Deployed, Environment } from '../../../../daemon/client/contract.ts'
import { AnswerError, NoAnswerError } from '../../../../daemon/client/errors.ts'
import { followLogs } from '../../../../daemon/client/follow-logs.ts'
import { ClientError } from '../client-error.ts'
import type { Session } from '../session.ts'
import { deployStep } from './deploy-step.ts'
import type { Progress } from './progress.ts'

export interface DeployRequest {
  readonly projectId: number
  readonly branch: string
  /** Asks the daemon, which answers when the deploy has come to its end. */
  readonly ask: () => Promise<{ status: 201; body: Deployed } | { status: 202; body: object }>
}

/**
 * Asks for a deploy and shows how it goes; what it came to. Where the daemon answers before the deploy is over, or goes
 * away meanwhile, the deploy is watched on by its rows. Throws what the daemon said of a failure.
 */
export async function watchDeploy(
  session: Session,
  { projectId, branch, ask }: DeployRequest,
  progress: Progress,
): Promise<Environment> {
  const { client, signal } = session
  const done = new AbortController()
  const until = AbortSignal.any([signal, done.signal])
  const before = await rowsOf()
  const newestBefore = Math.max(0, ...before.map(({ id }) => id))
  let following: Promise<void> | undefined
  let isOver = false
  let hasSettled: ((row: Environment | undefined) => void) | undefined

  async function rowsOf(): Promise<Environment[]> {
    const input = { params: { id: projectId } }
    const { body } = await client.call('listProjectEnvironments', input, { signal })
    return body.filter((row) => row.branch.name === branch)
  }

  async function look(): Promise<void> {
    const queue = (await client.call('listQueue', {}, { signal: until })).body
    const row = (await rowsOf()).filter(({ id }) => id > newestBefore).at(-1)
    if (isOver) return
    const step = deployStep({ projectId, branch, queue, row })
    progress.step(step)
    if (step.kind === 'building') following ??= followBuild(step.environmentId)
    const isQueued = queue.some((one) => one.project_id === projectId && one.branch === branch)
    if (!isQueued && row?.state !== 'building') hasSettled?.(row)
  }

  /** Its output is a comfort: a deploy does not fail for want of it. */
  async function followBuild(environmentId: number): Promise<void> {
    try {
      const lines = followLogs(client, environmentId, { signal: until, afterId: 0 })
      for await (const { line, stream } of lines) {
        if (stream === 'build' && !isOver) progress.output(line)
      }
    } catch (error) {
      if (!(error instanceof AnswerError || error instanceof NoAnswerError)) throw error
    }
  }

  async function poll(): Promise<void> {
    let silentSince: number | undefined
    while (!until.aborted) {
      try {
        await look()
        silentSince = undefined
      } catch (error) {
        if (until.aborted) return
        if (!(error instanceof NoAnswerError || isPassing(error))) throw error
        silentSince ??= Date.now()
        if (Date.now() - silentSince > patienceMs) throw error
      }
      await pause(pollMs, undefined, { signal: until }).catch(() => {})
    }
  }

  /** What the rows say when the deploy is no longer in the queue. */
  async function settled(): Promise<Environment> {
    const row = await new Promise<Environment | undefined>((resolve) => {
      hasSettled = resolve
    })
    if (row && row.state !== 'build_failed') return row
    if (row) throw new AnswerError(422, row.reason ?? 'failed', { environment_id: row.id })
    throw new ClientError('the deploy was taken out of the queue, or came to nothing', {
      next: ['strata audit says what happened'],
    })
  }

  try {
    const watching = poll()
    const asked = ask().catch((error: unknown) => {
      if (!(error instanceof NoAnswerError && error.isSent) || signal.aborted) throw error
      progress.say('the connection to the daemon was lost; the deploy goes on, waiting for it')
      return undefined
    })
    const outcome = asked.then((answer) => {
      if (answer?.status === 201) return answer.body
      return settled()
    })
    // `poll` ends by itself only with an error that is worth more than waiting.
    return await Promise.race([outcome, watching.then(() => outcome)])
  } finally {
    isOver = true
    done.abort()
    await following
  }
}

const pollMs = 400
/** A daemon that is started again takes seconds. */
const patienceMs = 120_000

function isPassing(error: unknown): boolean {
  return error instanceof AnswerError && (error.status >= 500 || error.status === 429)
}
