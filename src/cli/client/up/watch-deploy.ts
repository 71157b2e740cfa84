import { setTimeout as sleep } from 'node:timers/promises'
import type { Deployed, Environment } from '../../../../daemon/client/contract.ts'
import { ConnectionError, ResponseError } from '../../../../daemon/client/errors.ts'
import { followLogs } from '../../../../daemon/client/follow-logs.ts'
import type { Session } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { deployStep } from './deploy-step.ts'
import type { Progress } from './progress.ts'

/** Sends the request for a deploy. Resolves when the daemon answers: 201 after the deploy, 202 if it is still queued. */
export type RequestDeploy = () => Promise<
  { status: 201; body: Deployed } | { status: 202; body: object }
>

export interface DeployRequest {
  readonly projectId: number
  readonly branch: string
  readonly requestDeploy: RequestDeploy
}

/**
 * Requests a deploy and shows its progress. Returns the deployed environment. If the daemon answers before the deploy ends,
 * or goes away, the queue and the branch's newest environment tell the result. Throws ResponseError if the deploy fails.
 */
export async function watchDeploy(
  session: Session,
  { projectId, branch, requestDeploy }: DeployRequest,
  progress: Progress,
): Promise<Environment> {
  const { client, signal } = session
  const done = new AbortController()
  const doneOrAborted = AbortSignal.any([signal, done.signal])
  const earlier = await readEnvironments()
  const lastEarlierId = Math.max(0, ...earlier.map(({ id }) => id))
  let following: Promise<void> | undefined
  let isOver = false
  let resolveSettled: ((environment: Environment | undefined) => void) | undefined

  async function readEnvironments(): Promise<Environment[]> {
    const input = { params: { id: projectId } }
    const { body } = await client.call('listProjectEnvironments', input, { signal })
    return body.filter((each) => each.branch.name === branch)
  }

  async function pollOnce(): Promise<void> {
    const queue = (await client.call('listQueue', {}, { signal: doneOrAborted })).body
    const environment = (await readEnvironments()).filter(({ id }) => id > lastEarlierId).at(-1)
    if (isOver) return
    const step = deployStep({ projectId, branch, queue, environment })
    progress.step(step)
    if (step.kind === 'building') following ??= followBuild(step.environmentId)
    const isQueued = queue.some(
      (entry) => entry.project_id === projectId && entry.branch === branch,
    )
    if (!isQueued && environment?.state !== 'building') resolveSettled?.(environment)
  }

  /** Ignore API errors: the deploy does not depend on the display of its output. */
  async function followBuild(environmentId: number): Promise<void> {
    try {
      const lines = followLogs(client, environmentId, { signal: doneOrAborted, afterId: 0 })
      for await (const { line, stream } of lines) {
        if (stream === 'build' && !isOver) progress.output(line)
      }
    } catch (error) {
      if (!(error instanceof ResponseError || error instanceof ConnectionError)) throw error
    }
  }

  async function poll(): Promise<void> {
    let outageSince: number | undefined
    while (!doneOrAborted.aborted) {
      try {
        await pollOnce()
        outageSince = undefined
      } catch (error) {
        if (doneOrAborted.aborted) return
        if (!(error instanceof ConnectionError || isTransient(error))) throw error
        outageSince ??= Date.now()
        if (Date.now() - outageSince > maxOutageMs) throw error
      }
      await sleep(pollMs, undefined, { signal: doneOrAborted }).catch(() => {})
    }
  }

  /** Waits until the deploy has left the queue. Returns its environment, or throws ResponseError if the build failed. */
  async function waitUntilSettled(): Promise<Environment> {
    const environment = await new Promise<Environment | undefined>((resolve) => {
      resolveSettled = resolve
    })
    if (environment && environment.state !== 'build_failed') return environment
    if (environment) {
      throw new ResponseError(422, environment.reason ?? 'failed', {
        environment_id: environment.id,
      })
    }
    throw new ClientError('the deploy left the queue without creating an environment', {
      next: ['strata audit   lists what happened'],
    })
  }

  try {
    const watching = poll()
    const answered = requestDeploy().catch((error: unknown) => {
      if (!(error instanceof ConnectionError && error.isSent) || signal.aborted) throw error
      progress.say('lost the connection to the daemon; the deploy continues, reconnecting')
      return undefined
    })
    const outcome = answered.then((answer) => {
      if (answer?.status === 201) return answer.body
      return waitUntilSettled()
    })
    // `poll` rejects if the outage lasts too long, and that error must end the wait for `outcome`.
    return await Promise.race([outcome, watching.then(() => outcome)])
  } finally {
    isOver = true
    done.abort()
    await following
  }
}

const pollMs = 400
/** Maximum time without an answer. A restart of the daemon takes seconds. */
const maxOutageMs = 120_000

function isTransient(error: unknown): boolean {
  return error instanceof ResponseError && (error.status >= 500 || error.status === 429)
}
