import type { Builder } from '../ports.ts'
import type { Members } from './fleet-runtime.ts'

/** Builds each image on the engine that will run it. */
export function createFleetBuilder(members: Members): Builder {
  /** Does the work on all engines that respond. The others get it in a later round. */
  async function everywhere(work: (builder: Builder) => Promise<void>): Promise<void> {
    const reached = members.all().filter((member) => member.away() === undefined)
    const results = await Promise.allSettled(
      reached.map((member) => member.use(() => work(member.builder))),
    )
    const [own] = results.filter((_, index) => reached[index] === members.own)
    if (own?.status === 'rejected') throw own.reason
  }

  return {
    plan: (checkout) => members.own.builder.plan(checkout),
    async build(checkout, plan, options) {
      const member = await members.ofNode(options.nodeId)
      return member.use(() => member.builder.build(checkout, plan, options))
    },
    discard: (folder) => everywhere((builder) => builder.discard(folder)),
    prune: () => everywhere((builder) => builder.prune()),
    removeProject: (projectId) => everywhere((builder) => builder.removeProject(projectId)),
  }
}
