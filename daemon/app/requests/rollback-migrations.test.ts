import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'

let rig: Rig
beforeEach(async () => {
  rig = await createRig()
})
afterEach(async () => {
  await rig.close()
})

/** Deploys a commit of `main` with these migrations; undefined stands for no folder. Returns the commit. */
async function deployed(migrations: readonly string[] | undefined): Promise<string> {
  const { migrations: _, ...launch } = rig.builder.launch
  rig.builder.launch = { ...launch, ...(migrations && { migrations }) }
  const sha = rig.commit('main')
  await rig.deployed('main')
  return sha
}

const rollback = (toSha?: string, overMigrations = false) =>
  rig.app.useCases.deploys.rollback(
    rig.project.id,
    { branch: 'main', ...(toSha && { toSha }), overMigrations, wait: true },
    operator,
  )

test('a rollback over a migration is refused before anything changes, and names the migration', async () => {
  await deployed(['m/1_first'])
  await deployed(['m/1_first', 'm/2_note'])
  const before = await rig.store.environments.list(rig.project.id)
  await expect(rollback()).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringMatching(/run on the data of main: m\/2_note\. .*--over-migrations/),
    details: { migrations: ['m/2_note'] },
  })
  expect(await rig.store.environments.list(rig.project.id)).toEqual(before)
  expect(await rig.store.queue.list()).toEqual([])
})

test('a rollback over a migration runs if the caller accepts it', async () => {
  const first = await deployed(['m/1_first'])
  await deployed(['m/1_first', 'm/2_note'])
  const outcome = await rollback(undefined, true)
  expect(outcome).toMatchObject({ kind: 'running', environment: { commitSha: first } })
})

test('a migration that ran before an accepted rollback still counts', async () => {
  const first = await deployed([])
  const second = await deployed(['m/1_first'])
  await deployed(['m/1_first', 'm/2_note'])
  await rollback(first, true)
  await expect(rollback(second)).rejects.toThrow('m/2_note')
})

test('a rollback between commits with the same migrations needs no word', async () => {
  const first = await deployed(['m/1_first'])
  await deployed(['m/1_first'])
  await expect(rollback()).resolves.toMatchObject({ environment: { commitSha: first } })
})

test('a rollback to a release without recorded migrations needs no word', async () => {
  await deployed(undefined)
  await deployed(['m/1_first'])
  await expect(rollback()).resolves.toMatchObject({ kind: 'running' })
})

test('a message names at most five migrations', async () => {
  await deployed([])
  await deployed(Array.from({ length: 8 }, (_, at) => `m/${at}`))
  await expect(rollback()).rejects.toThrow('m/4, 3 others. A rollback')
})
