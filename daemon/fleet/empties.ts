import { isUntouched } from '../runtime/docker/volume-archive.ts'
import type { Members } from './fleet-runtime.ts'
import type { Member } from './member.ts'

/** Remembers which running environments of nodes have written no data. It helps when a node is lost. */
export interface Empties {
  has(environmentId: number): boolean
  /** Looks at the environments of a member, one after the other. Never throws. */
  look(member: Member): Promise<void>
}

export function createEmpties({ recordedOf }: Pick<Members, 'recordedOf'>): Empties {
  const empty = new Set<number>()
  const looking = new Set<Member>()

  async function lookAtAll(member: Member): Promise<void> {
    const rows = await recordedOf(member)
    for (const { id, containerName } of rows) {
      if (containerName === null || member.away() !== undefined) continue
      if (await member.use(() => isUntouched(member.engine, containerName))) empty.add(id)
      else empty.delete(id)
    }
  }

  return {
    has: (environmentId) => empty.has(environmentId),
    async look(member) {
      if (looking.has(member)) return
      looking.add(member)
      // The next sweep looks again.
      await lookAtAll(member).catch(() => {})
      looking.delete(member)
    },
  }
}
