import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecretUseCases } from '../../daemon/app/manage/secrets.ts'
import { createTokenUseCases } from '../../daemon/app/manage/tokens.ts'
import type { Project } from '../../daemon/domain/records.ts'
import { createHttp, type Http } from '../../daemon/http/http.ts'
import { createProxyConfig } from '../../daemon/proxy/proxy.ts'
import { createRig, type Rig, someone } from '../support/daemon/app/rig.ts'
import { accessRows, type Column, columns } from '../support/daemon/http/access-table.ts'
import { type AccessTarget, statusOf } from '../support/daemon/http/access-target.ts'
import { createMemoryUseCases } from '../support/daemon/http/memory-use-cases.ts'
import { call, defaultConfig, masterToken } from '../support/daemon/http/started.ts'

/**
 * The table of accesses over the real core, tokens, secrets and database. What makes no difference to who may do what is
 * as in the core's own tests: git, builds and processes; keys and backups are in memory.
 */
let rig: Rig
let http: Http
let target: AccessTarget

beforeAll(async () => {
  rig = await createRig({ memoryMb: 10_000_000 })
  const { store, vault, clock, core } = rig
  const { keys, backups } = createMemoryUseCases(clock).useCases
  http = createHttp({
    useCases: {
      ...core.useCases,
      tokens: createTokenUseCases({ store, clock }),
      secrets: createSecretUseCases({ store, vault, clock }),
      keys,
      backups,
    },
    proxyConfig: createProxyConfig({
      source: store.environments,
      config: { gatewayUrl: 'http://127.0.0.1:9080', entryPoints: ['web'], tls: null },
    }),
    config: defaultConfig,
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    clock,
  })
  await new Promise<void>((resolve) => http.server.listen(0, '127.0.0.1', resolve))
  const { port } = http.server.address() as AddressInfo
  rig.commit('main')
  target = {
    masterToken,
    call: (method, path, options) => call(`http://127.0.0.1:${port}`, method, path, options),
    fresh,
    passOneSecond: () => clock.advance(1000),
  }
})

afterAll(async () => {
  await http.close(0)
  await rig.close()
})

let made = 0

async function fresh() {
  made += 1
  const project: Project = await rig.addProject(`shop-${made}`)
  const { id: environment } = await rig.deployed('main', project)
  const node = await rig.core.useCases.nodes.register(
    { name: `n-${made}`, endpoint: 'local', address: null, tls: null, reservedMemoryMb: 0 },
    someone,
  )
  const queued = await rig.store.queue.put({
    projectId: project.id,
    branch: 'waiting',
    commitSha: null,
    operator: 'master',
    requestId: 'r',
    requestedAt: rig.clock.now(),
  })
  return {
    id: project.id,
    outside: rig.project.id,
    environment,
    queue: queued.id,
    node: node.id,
  }
}

/** What the daemon may say, beside the table, to somebody whom it lets in: nothing is there to roll back to. */
const otherwise: Readonly<Record<string, readonly number[]>> = {
  'POST /projects/{id}/rollback': [404],
  'DELETE /queue/{queue}': [409],
}

/** Sorts the roles out with few rows: whoever differs in nothing else is left to the table over memory. */
const asked: readonly Column[] = [
  'none',
  'viewer',
  'developer',
  'admin',
  'scoped viewer',
  'scoped maintainer',
  'outside admin',
  'expired',
  'revoked',
  'master',
]

for (const row of accessRows) {
  test(`${row.method} ${row.path} over the core answers as the table says`, async () => {
    for (const column of columns.filter((one) => asked.includes(one))) {
      const { status } = await statusOf(target, row, column)
      const expected = row.expected[column]
      const others = expected < 300 ? (otherwise[`${row.method} ${row.path}`] ?? []) : []
      expect({ column, status, isFine: [expected, ...others].includes(status) }).toMatchObject({
        isFine: true,
      })
    }
  })
}
