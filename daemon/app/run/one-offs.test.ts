import { afterEach, beforeEach, expect, test } from 'vitest'
import { settled } from '../../../test/support/daemon/app/fake-clock.ts'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'
import { redacted } from '../../domain/redacted.ts'

let rig: Rig
beforeEach(async () => {
  rig = await createRig()
})
afterEach(async () => {
  await rig.close()
})

async function deployed(branch = 'main') {
  rig.commit(branch)
  return rig.deployed(branch)
}

/** Starts a command and waits until it runs. */
async function start(environmentId: number, command: readonly string[] = ['node', 'task.js']) {
  const count = rig.oneOffs.runs.length
  const shown: string[] = []
  const gone = new AbortController()
  const ended = rig.app.useCases.commands.run(
    environmentId,
    {
      command,
      timeoutMs: 60_000,
      input: null,
      signal: gone.signal,
      onStart: () => {},
      output: async (chunk, stream) => {
        shown.push(`${stream}: ${Buffer.from(chunk)}`)
      },
    },
    operator,
  )
  ended.catch(() => {})
  await rig.until(() => rig.oneOffs.runs.length > count)
  const run = rig.oneOffs.runs[count]
  if (!run) throw new Error('no run')
  return { ...run, ended, shown, leave: () => gone.abort() }
}

test('a command gets the release, limits, data and variables of the app, and its output is masked', async () => {
  const { id } = await deployed()
  const value = rig.vault.seal(redacted('s3cret-value'))
  const secret = { name: 'KEY', value, isReadable: false }
  await rig.store.secrets.set(
    { ...secret, scope: { kind: 'project', projectId: rig.project.id } },
    rig.clock.now(),
  )
  const run = await start(id, ['node', 'task.js', 's3cret-value'])
  const [app] = rig.runtime.started
  expect(run.app).toMatchObject({
    folder: app?.folder,
    volume: app?.volume,
    launch: { memoryMb: app?.launch.memoryMb, start: ['node', 'task.js', 's3cret-value'] },
    env: { STRATA_BRANCH: 'main' },
  })
  expect(run.app.name).not.toBe(app?.name)
  await run.io.output(Buffer.from('KEY=s3cret-'), 'stdout')
  await run.io.output(Buffer.from('value and s3cret'), 'stdout')
  run.end({ kind: 'exited', code: 3 })
  expect(await run.ended).toEqual({ kind: 'exited', code: 3 })
  expect(run.shown.join('').replaceAll('stdout: ', '')).toBe('KEY=[redacted] and s3cret')
  const entries = await rig.store.audit.list({ environmentId: id, limit: 2 })
  expect(entries.map(({ kind, detail, operator }) => ({ kind, detail, operator }))).toEqual([
    {
      kind: 'command_ended',
      detail: '`node task.js [redacted]` ended with exit code 3',
      operator: 'master',
    },
    {
      kind: 'command_started',
      detail: '`node task.js [redacted]` was started',
      operator: 'master',
    },
  ])
})

test('a command runs beside a sleeping app without waking it', async () => {
  const { id } = await deployed()
  await rig.app.useCases.environments.pause(id, operator)
  const run = await start(id)
  expect((await rig.row(id)).state).toBe('paused')
  run.end({ kind: 'exited', code: 0 })
  await run.ended
})

test('a command ends with its branch, and goes on if the branch is deployed again', async () => {
  const first = await deployed()
  const run = await start(first.id)
  const second = await deployed()
  await settled()
  expect(run.io.signal.aborted).toBe(false)
  await rig.app.useCases.environments.destroy(second.id, { purgeSecrets: false }, operator)
  expect(await run.ended).toEqual({ kind: 'aborted' })
})

test('a command ends when its caller leaves, and when the daemon stops', async () => {
  const { id } = await deployed()
  const one = await start(id)
  one.leave()
  expect(await one.ended).toEqual({ kind: 'aborted' })
  const other = await start(id)
  await rig.app.stop()
  expect(await other.ended).toEqual({ kind: 'aborted' })
})

test('a command is refused without a live environment, without memory, and beyond ten of a project', async () => {
  const { id } = await deployed()
  const runs = []
  for (let count = 0; count < 10; count += 1) runs.push(await start(id))
  const refused = (environmentId: number) =>
    rig.app.useCases.commands.run(
      environmentId,
      {
        ...{ command: ['node'], timeoutMs: 1000, input: null, onStart: () => {} },
        ...{ output: async () => {}, signal: new AbortController().signal },
      },
      operator,
    )
  await expect(refused(id)).rejects.toMatchObject({ kind: 'throttled' })
  for (const run of runs) run.end({ kind: 'exited', code: 0 })
  await Promise.all(runs.map(({ ended }) => ended))
  rig.runtime.memoryMb = 1
  await expect(refused(id)).rejects.toMatchObject({ kind: 'unavailable' })
  await rig.app.useCases.environments.destroy(id, { purgeSecrets: false }, operator)
  await expect(refused(id)).rejects.toMatchObject({ kind: 'conflict' })
  await expect(refused(9000)).rejects.toMatchObject({ kind: 'not-found' })
})
