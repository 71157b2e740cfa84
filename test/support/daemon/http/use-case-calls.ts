import type { Actor, UseCases } from '../../../../daemon/app/ground/use-cases.ts'

/** One call that the HTTP layer made, such as `projects.update`. */
export interface UseCaseCall {
  readonly name: string
  readonly args: readonly unknown[]
  /** Set for every use-case that changes something. */
  readonly actor: Actor | undefined
}

/** Returns use-cases that note each call in `calls` before they pass it on. */
export function recordCalls(useCases: UseCases, calls: UseCaseCall[]): UseCases {
  const recorded = Object.entries(useCases).map(([area, methods]) => {
    const entries = Object.entries(methods).map(([verb, method]) => [
      verb,
      (...args: unknown[]) => {
        calls.push({ name: `${area}.${verb}`, args, actor: actorOf(args) })
        return (method as (...args: unknown[]) => unknown)(...args)
      },
    ])
    return [area, Object.fromEntries(entries)]
  })
  return Object.fromEntries(recorded) as UseCases
}

/** The actor is the last argument of most use-cases, but a field of the input of `deploys.push`. */
function actorOf(args: readonly unknown[]): Actor | undefined {
  const [last] = args.slice(-1) as [Partial<Actor> & { actor?: Actor }]
  return last?.actor ?? (last?.principal && (last as Actor))
}
