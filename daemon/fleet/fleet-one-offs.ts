import type { OneOffs } from '../ports.ts'
import type { Members } from './fleet-runtime.ts'

/** Runs one-off programs on the node of their environment, where its data is. */
export function createFleetOneOffs(members: Members): OneOffs {
  return {
    async run(app, io) {
      const member = await members.ofNode(app.nodeId)
      return member.use(async () => {
        await members.carryImage(app.folder, member)
        return member.oneOffs.run(app, io)
      })
    },
  }
}
