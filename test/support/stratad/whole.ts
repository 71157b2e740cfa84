import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { eventually } from '../apps/eventually.ts'
import { processesIn } from '../daemon/runtime/apps.ts'
import { call } from './call.ts'
import type { Daemon } from './daemon.ts'
import { drains, type Project, type Row, rowsOf } from './project.ts'

const liveStates = ['running', 'paused', 'hibernating']

/**
 * What has to be so whatever was done to the daemon, once it has had its time: the queue is empty, nothing is left
 * `building`, a branch has one live row at most, and each that runs has one process and nobody else has any. Returns the rows.
 */
export async function expectWhole(daemon: Daemon, project: Project): Promise<Row[]> {
  expect(await drains(daemon)).toBe(true)
  const rows = await rowsOf(daemon, project)
  expect(rows.filter(({ state }) => state === 'building')).toEqual([])
  const live = rows.filter(({ state }) => liveStates.includes(state))
  const branches = live.map(({ branch }) => branch.name)
  expect(branches).toEqual([...new Set(branches)])
  const wanted = () => instancesOf('running')
  expect(
    await eventually(async () => apps(daemon).join() === (await wanted()).join(), 60_000),
    `${apps(daemon)} are to be ${await wanted()}`,
  ).toBe(true)
  return rows

  async function instancesOf(state: string): Promise<string[]> {
    const { body } = await call(daemon, 'GET', '/environments')
    const running = body.filter((row: Row) => row.state === state)
    return running.map((row: Row) => `strata-${row.id}`).toSorted()
  }
}

/** The instance of each process that works in a release of the daemon. */
export function apps({ dataDir }: Daemon): string[] {
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
