import { endpointOf } from '../domain/endpoints.ts'
import { instanceName, parseInstanceName } from '../domain/process-names.ts'
import type { Environment } from '../domain/records.ts'
import { isUnreachable } from '../engine/engine-error.ts'
import { DaemonError } from '../errors.ts'
import type { Instance, InstanceExit, Runtime, UsageProbe } from '../ports.ts'
import type { Member } from './member.ts'

/** The members of a fleet, as the adapters that spread over them see them. */
export interface Members {
  all(): readonly Member[]
  /** The member of the daemon's own engine. */
  readonly own: Member
  /** Returns the member of a node. Throws `unprocessable` if the node is unknown. */
  ofNode(nodeId: number | undefined): Promise<Member>
  /** Returns the member of an environment's node; undefined if the environment is unknown. */
  ofEnvironment(environmentId: number): Promise<Member | undefined>
  /** Returns the running environments of a member, as the database has them; undefined: of nodes without a member. */
  recordedOf(member: Member | undefined): Promise<Environment[]>
  /** Brings the image of a release to a member if it lacks it. */
  carryImage(folder: string, to: Member): Promise<void>
}

/**
 * Runs each app on the engine of its node. An engine that does not respond is believed to run what was recorded: nothing
 * there is started again elsewhere, and nothing waits for it. What should end there ends when the engine is back.
 */
export function createFleetRuntime(members: Members): Runtime & { readonly usage: UsageProbe } {
  const listeners: ((exit: InstanceExit) => void)[] = []
  const heard = new WeakSet<Member>()

  function hear(member: Member): void {
    if (heard.has(member)) return
    heard.add(member)
    member.runtime.onExit((exit) => {
      for (const listener of listeners) listener(exit)
    })
  }

  async function appsOf(member: Member): Promise<Instance[]> {
    hear(member)
    const recorded = async () => (await members.recordedOf(member)).flatMap(instanceOf)
    if (member.away() !== undefined) return recorded()
    try {
      return [...(await member.runtime.list()).values()]
    } catch (error) {
      if (member === members.own || !isUnreachable(error)) throw error
      return recorded()
    }
  }

  /** Ends an app. One on an engine that does not respond ends when the engine is back. */
  async function end(name: string, work: (member: Member) => Promise<void>): Promise<void> {
    const id = parseInstanceName(name)?.environmentId
    const member = id === undefined ? undefined : await members.ofEnvironment(id)
    for (const each of member ? [member] : members.all()) {
      if (each.away() !== undefined) continue
      try {
        await each.use(() => work(each))
      } catch (error) {
        if (each === members.own || !isUnreachable(error)) throw error
      }
    }
  }

  return {
    async start(app) {
      const member = await members.ofNode(app.nodeId)
      hear(member)
      return member.use(async () => {
        await members.carryImage(app.folder, member)
        return member.runtime.start(app)
      })
    },

    async list() {
      const lost = members.recordedOf(undefined).then((rows) => rows.flatMap(instanceOf))
      const apps = (await Promise.all([...members.all().map(appsOf), lost])).flat()
      return new Map(apps.map((app) => [app.name, app]))
    },

    stop: (name, graceMs) => end(name, ({ runtime }) => runtime.stop(name, graceMs)),
    remove: (name, graceMs) => end(name, ({ runtime }) => runtime.remove(name, graceMs)),
    onExit: (listener) => void listeners.push(listener),

    async awaitHealthy(instance, health, signal) {
      const member = await members.ofEnvironment(instance.environmentId)
      if (!member) throw new DaemonError('unprocessable', 'the environment was removed')
      return member.use(() => member.runtime.awaitHealthy(instance, health, signal))
    },

    capacity: () => members.own.runtime.capacity(),

    usage: {
      async read() {
        const reached = members.all().filter((member) => member.away() === undefined)
        const uses = await Promise.all(
          reached.map((member) => member.runtime.usage.read().catch(() => new Map())),
        )
        return new Map(uses.flatMap((use) => [...use]))
      },
    },
  }
}

/** Returns the app of an environment on an engine that does not respond, if it has a port. */
function instanceOf(row: Environment): Instance[] {
  const endpoint = endpointOf(row)
  if (!endpoint) return []
  const app: Instance = {
    name: instanceName(row.id),
    environmentId: row.id,
    containerName: row.containerName ?? '',
    endpoints: [endpoint],
    startedAt: row.updatedAt,
  }
  return [app]
}
