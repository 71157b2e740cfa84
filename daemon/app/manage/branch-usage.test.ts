import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { environmentDraft } from '../../../test/support/daemon/store/record-drafts.ts'
import type { Environment } from '../../domain/records.ts'
import { noTraffic } from '../../domain/traffic.ts'
import { createBranchUsage, slotMs } from './branch-usage.ts'
import { createUsageArchive } from './usage-archive.ts'

const start = Date.UTC(2026, 0, 1)
const dayMs = 86_400_000
const requests = (count: number, errors = 0) => ({ ...noTraffic, requests: count, errors })

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-usage-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Environments 1 and 2 are deploys of one branch, and 3 is another branch. */
function open() {
  const branches: Readonly<Record<number, string>> = { 1: 'main', 2: 'main', 3: 'other' }
  const find = async (id: number) => {
    const branch = branches[id]
    return branch === undefined
      ? undefined
      : ({ ...environmentDraft({ branch, projectId: 7 }), id } as Environment)
  }
  const archive = createUsageArchive(join(folder, 'usage'))
  // The module asks for single environments only.
  const store = { environments: { find } } as unknown as Parameters<
    typeof createBranchUsage
  >[0]['store']
  return createBranchUsage({ store, archive })
}

test('a branch keeps its figures over deploys and restarts, in slots of 15 minutes', async () => {
  const before = open()
  await before.addTraffic(
    start,
    new Map([
      [1, requests(2)],
      [3, requests(50)],
      [9, requests(1)],
    ]),
  )
  await before.addSamples(start + 1, new Map([[1, { at: 0, memoryBytes: 10, cpu: 0.5 }]]))
  await before.addTraffic(start + slotMs, new Map([[2, requests(3, 1)]]))
  await before.flush()
  const after = open()
  await after.addTraffic(start + slotMs + 1, new Map([[2, requests(4)]]))
  expect(await after.slots(7, 'main', start)).toEqual([
    { at: start, memoryBytes: 10, cpu: 0.5, traffic: requests(2) },
    { at: start + slotMs, memoryBytes: null, cpu: null, traffic: requests(7, 1) },
  ])
  expect(await after.slots(7, 'main', start + 1)).toHaveLength(1)
  expect(await after.slots(8, 'main', start)).toEqual([])
})

test('totals add the requests of all deploys of a branch, and have the use of running apps', async () => {
  const usage = open()
  await usage.addTraffic(start, new Map([[1, requests(2)]]))
  await usage.addTraffic(start + slotMs, new Map([[2, requests(3)]]))
  await usage.addSamples(start + slotMs, new Map([[2, { at: 0, memoryBytes: 10, cpu: null }]]))
  const total = { projectId: 7, branch: 'main', traffic: requests(5) }
  expect(usage.totals()).toEqual([{ ...total, memoryBytes: 10, cpu: null }])
  await usage.addSamples(start + slotMs + 1, new Map())
  expect(usage.totals()).toEqual([{ ...total, memoryBytes: null, cpu: null }])
})

test('a torn line is skipped, and the files of old days are removed', async () => {
  const usage = open()
  for (let day = 0; day < 12; day += 1) {
    await usage.addTraffic(start + day * dayMs, new Map([[1, requests(1)]]))
    if (day === 10) appendFileSync(join(folder, 'usage/2026-01-10.ndjson'), '[7,"main",17')
  }
  await usage.flush()
  expect(readdirSync(join(folder, 'usage'))).toHaveLength(8)
  expect(await usage.slots(7, 'main', start)).toHaveLength(8)
})
