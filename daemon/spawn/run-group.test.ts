import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { type GroupOptions, runGroup } from './run-group.ts'

function node(code: string, options: Partial<GroupOptions> = {}) {
  let output = ''
  const ending = runGroup({
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
  return ending.then((end) => ({ end, output }))
}

test('runGroup passes the input, and returns the output and the exit code or signal', async () => {
  expect(await node('process.stdin.pipe(process.stdout)', { input: 'given' })).toEqual({
    end: { kind: 'exited', code: 0 },
    output: 'given',
  })
  expect((await node('process.exitCode = 7')).end).toEqual({ kind: 'exited', code: 7 })
  const killed = await node(`process.kill(process.pid, 'SIGABRT')`)
  expect(killed.end).toMatchObject({ kind: 'killed', signal: 'SIGABRT' })
})

test('runGroup ignores a program that exits without reading its input', async () => {
  const { end } = await node('process.exit(0)', { input: 'x'.repeat(5_000_000) })
  expect(end).toEqual({ kind: 'exited', code: 0 })
})

test('runGroup resolves with not-started for a bad program, folder or argument', async () => {
  for (const options of [
    { command: '/no/such/program' },
    { cwd: '/no/such/folder' },
    { args: ['a\0b'] },
  ]) {
    expect((await node('', options)).end.kind).toBe('not-started')
  }
})

test('runGroup ends a silent program after silenceMs and a program with output after timeoutMs', async () => {
  const silent = await node('setInterval(() => {}, 1000)', { silenceMs: 300 })
  expect(silent.end).toMatchObject({ kind: 'timed-out', wasSilent: true })
  const loud = await node('setInterval(() => console.log(1), 20)', {
    silenceMs: 5000,
    timeoutMs: 600,
  })
  expect(loud.end).toMatchObject({ kind: 'timed-out', wasSilent: false })
})

test('runGroup kills a program that ignores SIGTERM', async () => {
  const code = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')`
  const { end, output } = await node(code, { timeoutMs: 1500 })
  expect(end.kind).toBe('timed-out')
  expect(output).toBe('up\n')
})

test('runGroup resolves with aborted if the signal aborts before or during the run', async () => {
  expect((await node('', { signal: AbortSignal.abort() })).end).toEqual({ kind: 'aborted' })
  const abort = new AbortController()
  const running = node(`console.log('up'); setInterval(() => {}, 1000)`, {
    signal: abort.signal,
    onOutput: () => abort.abort(),
  })
  expect((await running).end).toEqual({ kind: 'aborted' })
})
