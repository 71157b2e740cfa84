import { afterEach, beforeEach, expect, test } from 'vitest'
import { settled } from '../../../test/support/daemon/app/fake-clock.ts'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'
import type { Environment, Project } from '../../domain/records.ts'

let rig: Rig
let other: Project
beforeEach(async () => {
  rig = await createRig({ memoryMb: 64_000 })
  other = await rig.addProject('other')
})
afterEach(async () => {
  await rig.close()
})

async function deployBranches(count: number): Promise<Environment[]> {
  const rows: Environment[] = []
  for (let at = 0; at < count; at += 1) {
    rig.commit(`b${at}`)
    rows.push(await rig.deployed(`b${at}`))
  }
  return rows
}

test('apps of one project that never become healthy do not delay the wakes of another project', async () => {
  const hung = await deployBranches(18)
  rig.commit('main')
  const shop = await rig.deployed('main', other)
  const { environments } = rig.app.useCases
  for (const { id } of [...hung, shop]) await environments.pause(id, operator)
  for (const { id } of hung) rig.runtime.gates.shut(`healthy:${id}`)
  const starts = rig.runtime.started.length
  const asked = hung.map(({ id }) => rig.gateway.ask(id))
  for (const answer of asked) answer.catch(() => undefined)
  await rig.until(() => rig.runtime.started.length === starts + 16)
  await settled()
  expect(rig.runtime.started).toHaveLength(starts + 16)
  expect(await rig.gateway.ask(shop.id)).toMatchObject({ port: expect.any(Number) })
  rig.runtime.gates.open(`healthy:${hung[0]?.id}`)
  await rig.until(() => rig.runtime.started.length === starts + 18)
})

test('apps of one project that never become healthy do not delay restarts after a reboot', async () => {
  const hung = await deployBranches(4)
  rig.commit('main')
  const shop = await rig.deployed('main', other)
  await rig.app.stop()
  rig.runtime.running.clear()
  for (const { id } of hung) rig.runtime.gates.shut(`healthy:${id}`)
  const starts = rig.runtime.started.length
  await rig.restart()
  await rig.until(async () => (await rig.row(shop.id)).hostPort !== null)
  const isUp = () => rig.runtime.running.has(`strata-${shop.id}`)
  await rig.until(isUp)
  expect(rig.runtime.started).toHaveLength(starts + 4)
  await rig.clock.advance(10_000)
  await rig.until(() => rig.runtime.started.length === starts + 5)
})
