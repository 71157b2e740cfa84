import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { isLive } from '../../../daemon/domain/states.ts'
import { eventually } from '../apps/eventually.ts'
import { processesIn } from '../daemon/runtime/apps.ts'
import { call } from './call.ts'
import type { Daemon } from './daemon.ts'
import { type Project, queueBecomesEmpty, type Row, rowsOf } from './project.ts'
import { runningContainersOf, testRuntime } from './test-runtime.ts'

/**
 * Waits until the daemon is idle and checks its invariants. The queue is empty and no environment
 * is `building`. A branch has at most one live environment. Each running environment has exactly
 * one process or container; other environments have none. Returns the environments of the project.
 */
export async function expectConsistent(daemon: Daemon, project: Project): Promise<Row[]> {
  expect(await queueBecomesEmpty(daemon)).toBe(true)
  const rows = await rowsOf(daemon, project)
  expect(rows.filter(({ state }) => state === 'building')).toEqual([])
  const live = rows.filter(({ state }) => isLive(state))
  const branches = live.map(({ branch }) => branch.name)
  expect(branches).toEqual([...new Set(branches)])
  const expected = () => instancesOf('running')
  expect(
    await eventually(
      async () => listRunningInstances(daemon).join() === (await expected()).join(),
      60_000,
    ),
    `expected the processes ${await expected()}, got ${listRunningInstances(daemon)}`,
  ).toBe(true)
  return rows

  async function instancesOf(state: string): Promise<string[]> {
    const { body } = await call(daemon, 'GET', '/environments')
    const running = body.filter((row: Row) => row.state === state)
    return running.map((row: Row) => `strata-${row.id}`).toSorted()
  }
}

/**
 * Returns the instance name of each process whose working folder is in a release of the daemon, or of each running
 * container.
 */
export function listRunningInstances({ dataDir }: Pick<Daemon, 'dataDir'>): string[] {
  if (testRuntime() === 'docker') return runningContainersOf(dataDir).toSorted()
  return processesIn(`${dataDir}/releases`)
    .map((pid) => instanceOf(pid))
    .toSorted()
}

function instanceOf(pid: number): string {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
    const mark = environment.find((text) => text.startsWith('STRATA_INSTANCE='))
    return mark?.slice('STRATA_INSTANCE='.length).split('.')[0] ?? 'unmarked'
  } catch {
    return 'ended'
  }
}
