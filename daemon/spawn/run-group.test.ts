import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { type GroupOptions, runGroup } from './run-group.ts'

function node(code: string, options: Partial<GroupOptions> = {}) {
  let output = ''
  const end = runGroup({
    command: process.execPath,
    args: ['-e', code],
    cwd: tmpdir(),
    env: {},
    timeoutMs: 20_000,
    graceMs: 300,
    onOutput: (chunk) => {
      output += Buffer.from(chunk).toString()
    },
    ...options,
  })
  return end.then((how) => ({ how, output }))
}

test('its end, its output and its input are those of the program', async () => {
  expect(await node('process.stdin.pipe(process.stdout)', { input: 'given' })).toEqual({
    how: { kind: 'exited', code: 0 },
    output: 'given',
  })
  expect((await node('process.exitCode = 7')).how).toEqual({ kind: 'exited', code: 7 })
  const killed = await node(`process.kill(process.pid, 'SIGABRT')`)
  expect(killed.how).toMatchObject({ kind: 'killed', signal: 'SIGABRT' })
})

test('a program that does not read its input is no fault', async () => {
  const { how } = await node('process.exit(0)', { input: 'x'.repeat(5_000_000) })
  expect(how).toEqual({ kind: 'exited', code: 0 })
})

test('what can not be started says why', async () => {
  for (const options of [
    { command: '/no/such/program' },
    { cwd: '/no/such/folder' },
    { args: ['a\0b'] },
  ]) {
    expect((await node('', options)).how.kind).toBe('not-started')
  }
})

test('silence ends it, output does not let it live for ever', async () => {
  const silent = await node('setInterval(() => {}, 1000)', { silenceMs: 300 })
  expect(silent.how).toMatchObject({ kind: 'timed-out', wasSilent: true })
  const loud = await node('setInterval(() => console.log(1), 20)', {
    silenceMs: 5000,
    timeoutMs: 600,
  })
  expect(loud.how).toMatchObject({ kind: 'timed-out', wasSilent: false })
})

test('a program that ignores SIGTERM is ended all the same', async () => {
  const code = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')`
  const { how, output } = await node(code, { timeoutMs: 1500 })
  expect(how.kind).toBe('timed-out')
  expect(output).toBe('up\n')
})

test('an abort before or during it is told', async () => {
  expect((await node('', { signal: AbortSignal.abort() })).how).toEqual({ kind: 'aborted' })
  const abort = new AbortController()
  const running = node(`console.log('up'); setInterval(() => {}, 1000)`, {
    signal: abort.signal,
    onOutput: () => abort.abort(),
  })
  expect((await running).how).toEqual({ kind: 'aborted' })
})
