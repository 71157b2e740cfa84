import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppGit } from '../../../../daemon/app/ground/deps.ts'
import { createGates, type Gates } from './gates.ts'

export interface FakeGit extends AppGit {
  /** Gate names: `fetch`, `checkout`. */
  readonly gates: Gates
  /** Upstream commits by branch. */
  readonly upstream: Map<string, string>
  /** Errors that the next fetches throw, one for each fetch. */
  readonly faults: Error[]
  /** The branch of the remote's HEAD. */
  remoteHead: string
  fetches: number
  /** Number of calls of `remoteBranches`, and the error that they throw. */
  polls: number
  pollFault: Error | undefined
}

/** Creates a fake with one repository for all projects. */
export function createFakeGit(): FakeGit {
  const gates = createGates()
  const upstream = new Map<string, string>()
  const faults: Error[] = []
  let mirror = new Map<string, string>()
  const seen = new Set<string>()
  const fake: FakeGit = {
    gates,
    upstream,
    faults,
    remoteHead: 'main',
    fetches: 0,
    polls: 0,
    pollFault: undefined,
    async fetch(_source, signal) {
      fake.fetches += 1
      await gates.pass('fetch', signal)
      const fault = faults.shift()
      if (fault) throw fault
      mirror = new Map(upstream)
      for (const sha of mirror.values()) seen.add(sha)
    },
    head: async (_source, branch) => mirror.get(branch),
    branches: async () => mirror,
    async remoteBranches() {
      fake.polls += 1
      if (fake.pollFault) throw fake.pollFault
      return new Map(upstream)
    },
    defaultBranch: async () =>
      mirror.has(fake.remoteHead) ? { name: fake.remoteHead, isCheckout: false } : undefined,
    has: async (_source, sha) => seen.has(sha),
    async checkout(_source, sha, folder, signal) {
      await gates.pass('checkout', signal)
      await mkdir(folder)
      await writeFile(join(folder, 'commit'), sha)
    },
    remove: async () => undefined,
    originOf: async () => null,
    checkHost: async () => undefined,
  }
  return fake
}
