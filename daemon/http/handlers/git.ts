import type { Request } from 'express'
import type { Actor } from '../../app/ground/use-cases.ts'
import { DaemonError } from '../../errors.ts'
import type { GitExchange } from '../../ports.ts'
import { alreadySent, type HandlerDeps, type Handlers } from '../call.ts'

type Names = 'readGitRefs' | 'fetchFromGit' | 'pushToGit'

/** Requests at once. A push that waits for its deploys does not count. */
const maxRequests = 32
const maxRequestsOfOne = 8

/** Serves git clients. */
export function gitHandlers({
  useCases: { repositories },
  gitService,
  closing,
}: HandlerDeps): Pick<Handlers, Names> {
  const places = createPlaces()

  async function serve(
    { repository }: { repository: string },
    actor: Actor,
    exchange: Omit<GitExchange, 'projectId' | 'receive'>,
  ): Promise<typeof alreadySent> {
    const leave = places.enter(keyOf(actor))
    try {
      const { id } = await repositories.find(repository)
      const isPush = exchange.service === 'git-receive-pack'
      await repositories.open(id, { isPush })
      const pushActor = { ...actor, operator: `git:${actor.operator}` }
      await gitService.serve({
        ...exchange,
        projectId: id,
        ...(isPush && {
          receive: (push, pusher) => {
            leave()
            return repositories.receive(id, push, { ...pusher, closing }, pushActor)
          },
        }),
      })
      return alreadySent
    } finally {
      leave()
    }
  }

  return {
    readGitRefs: ({ params, query, actor, req, res }) =>
      serve(params, actor, { service: query.service, step: 'refs', req, res }),

    fetchFromGit({ params, actor, req, res }) {
      requireMedia(req, 'application/x-git-upload-pack-request')
      return serve(params, actor, { service: 'git-upload-pack', step: 'pack', req, res })
    },

    pushToGit({ params, actor, req, res }) {
      requireMedia(req, 'application/x-git-receive-pack-request')
      return serve(params, actor, { service: 'git-receive-pack', step: 'pack', req, res })
    },
  }
}

/** A form of another site can't send this type: the browser asks the daemon first, which refuses. */
function requireMedia({ headers }: Request, media: string): void {
  if (headers['content-type'] !== media) {
    throw new DaemonError('bad-request', `the Content-Type must be ${media}`)
  }
  const encoding = headers['content-encoding'] ?? 'identity'
  if (!['gzip', 'x-gzip', 'identity'].includes(encoding)) {
    throw new DaemonError('bad-request', 'the Content-Encoding must be gzip, or absent')
  }
}

function keyOf({ principal }: Actor): string {
  return principal.kind === 'token' ? `token:${principal.id}` : principal.kind
}

/** Counts the requests of each credential. Throws `throttled` for one too many. */
function createPlaces() {
  const counts = new Map<string, number>()
  let sum = 0
  return {
    /** Returns an idempotent function that gives the place back. */
    enter(key: string): () => void {
      const count = counts.get(key) ?? 0
      if (sum >= maxRequests || count >= maxRequestsOfOne) {
        throw new DaemonError('throttled', 'too many git requests at once: try again in 5 s', {
          details: { retry_after: 5 },
        })
      }
      sum += 1
      counts.set(key, count + 1)
      let isIn = true
      return () => {
        if (!isIn) return
        isIn = false
        sum -= 1
        const left = (counts.get(key) ?? 1) - 1
        if (left === 0) counts.delete(key)
        else counts.set(key, left)
      }
    },
  }
}
