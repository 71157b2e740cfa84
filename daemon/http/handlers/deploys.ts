import type { Request, Response } from 'express'
import { environmentWire, queueWire } from '../../api/records-to-json.ts'
import type { ReplyOf, RouteOf } from '../../api/route-table.ts'
import type { DeployOutcome } from '../../app/ground/use-cases.ts'
import { withDeadline } from '../../async/with-deadline.ts'
import { DaemonError } from '../../errors.ts'
import type { HandlerDeps, Handlers } from '../call.ts'

type Names = 'deploy' | 'rollback' | 'listQueue' | 'removeQueueEntry'
type DeployReply = ReplyOf<RouteOf<'deploy'>>

/** Maximum wait of a caller for a deploy; then the caller gets 202. */
const maxWaitMs = 600_000

export function deployHandlers(deps: HandlerDeps): Pick<Handlers, Names> {
  const { deploys, projects, queue } = deps.useCases

  /** Waits for a deploy. The deploy continues if its caller disconnects or gets an early 202. */
  async function settle(
    work: Promise<DeployOutcome>,
    projectId: number,
    branch: string,
  ): Promise<DeployReply> {
    const { clock, closing: signal, logger } = deps
    const outcome = await withDeadline(work, { ms: maxWaitMs, clock, signal })
    if (outcome !== 'late') return toReply(outcome)
    work.catch((err) =>
      logger.warn({ err, projectId, branch }, 'a deploy failed after its caller disconnected'),
    )
    return {
      status: 202,
      body: { status: 'queued', position: await positionOf(projectId, branch) },
    }
  }

  async function toReply(outcome: DeployOutcome): Promise<DeployReply> {
    switch (outcome.kind) {
      case 'running': {
        const [project] = await projects.list([outcome.environment.projectId])
        const { publicPort } = deps.settings
        const environment = environmentWire(outcome.environment, project, publicPort)
        return {
          status: 201,
          body: { ...environment, build: { duration_ms: Math.round(outcome.durationMs) } },
        }
      }
      case 'queued':
        return { status: 202, body: { status: 'queued', position: outcome.position } }
      case 'failed':
        throw new DaemonError('unprocessable', outcome.reason, {
          details: { environment_id: outcome.environmentId },
        })
    }
  }

  /** Position among the waiting deploys, from 1; 0 if the deploy is running or finished. */
  async function positionOf(projectId: number, branch: string): Promise<number> {
    const waiting = (await queue.list(null)).filter(({ state }) => state === 'waiting')
    return 1 + waiting.findIndex((one) => one.projectId === projectId && one.branch === branch)
  }

  return {
    deploy({ params, body, actor, req, res }) {
      const input = { branch: body.branch, wait: !isAsync(req, res) }
      return settle(deploys.deploy(params.id, input, actor), params.id, body.branch)
    },

    rollback({ params, body, actor, req, res }) {
      const input = {
        branch: body.branch,
        ...(body.to_sha !== undefined && { toSha: body.to_sha }),
        ...(body.over_migrations && { overMigrations: true }),
        wait: !isAsync(req, res),
      }
      return settle(deploys.rollback(params.id, input, actor), params.id, body.branch)
    },

    async listQueue({ visible }) {
      return { status: 200, body: (await queue.list(visible)).map(queueWire) }
    },

    async removeQueueEntry({ params, actor }) {
      await queue.remove(params.id, actor)
      return { status: 204 }
    },
  }
}

/** Returns true if the caller sent `Prefer: respond-async` (RFC 7240), and confirms the preference in a header. */
function isAsync(req: Request, res: Response): boolean {
  const preferences = String(req.headers.prefer ?? '').split(/[,;]/)
  if (!preferences.some((preference) => preference.trim().toLowerCase() === 'respond-async'))
    return false
  res.setHeader('Preference-Applied', 'respond-async')
  return true
}
