import type { Launch } from '../../../../daemon/domain/records.ts'
import type { Builder } from '../../../../daemon/ports.ts'
import { createGates, type Gates } from './gates.ts'

export interface FakeBuilder extends Builder {
  /** Gate names: `build`. */
  readonly gates: Gates
  /** Launch settings of the next commits. */
  launch: Launch
  planFault: Error | undefined
  buildFault: Error | undefined
  builds: number
}

export function createFakeBuilder(): FakeBuilder {
  const gates = createGates()
  const fake: FakeBuilder = {
    gates,
    launch: {
      root: '',
      start: ['node', 'main.js'],
      health: null,
      healthTimeoutMs: 30_000,
      port: null,
      cpus: null,
      pids: 512,
      memoryMb: 256,
      env: {},
      keepReleases: 3,
    },
    planFault: undefined,
    buildFault: undefined,
    builds: 0,
    async plan() {
      if (fake.planFault) throw fake.planFault
      const app = {
        kind: 'command',
        dockerfile: null,
        reasons: [],
        programs: [],
        site: null,
      } as const
      return { app, install: null, build: null, launch: fake.launch }
    },
    async build(_checkout, _plan, { output, signal }) {
      fake.builds += 1
      output(new TextEncoder().encode('built\n'), 'stdout')
      await gates.pass('build', signal)
      if (fake.buildFault) throw fake.buildFault
    },
    discard: async () => undefined,
    prune: async () => undefined,
    removeProject: async () => undefined,
  }
  return fake
}
