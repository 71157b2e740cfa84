import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEngine } from '../../daemon/engine/engine.ts'
import { openOwnership } from '../../daemon/engine/ownership.ts'
import type { AppSpec, OneOffEnd } from '../../daemon/ports.ts'
import { createContainerOneOffs } from '../../daemon/runtime/docker/one-offs.ts'
import { dockerPlace } from '../support/daemon/docker/place.ts'
import {
  missingEngine,
  startTestEngine,
  type TestEngine,
} from '../support/daemon/docker/test-engine.ts'
import { realClock } from '../support/daemon/runtime/apps.ts'
import type { RuntimePlace } from '../support/daemon/runtime/contract.ts'

const skip = missingEngine()

describe.skipIf(skip !== undefined)('a one-off container', () => {
  let engine: TestEngine
  let place: RuntimePlace
  let app: AppSpec
  let lastId = 0

  beforeAll(async () => {
    engine = await startTestEngine()
    place = await dockerPlace(engine)
    app = await place.app(1, 'console.log("the app")', { volume: await place.volume() })
  })
  afterAll(async () => {
    await place?.remove()
    await engine?.remove()
  })

  const oneOffs = () =>
    createContainerOneOffs({
      engine: createEngine(engine.address),
      ownership: openOwnership(`${app.folder}/..`, `${app.folder}/..`),
      clock: realClock,
      user: { uid: 1000, gid: 1000 },
    })

  async function run(
    source: string,
    {
      input,
      signal,
      timeoutMs = 60_000,
    }: { input?: Readable; signal?: AbortSignal; timeoutMs?: number } = {},
  ): Promise<{ end: OneOffEnd; stdout: Buffer; stderr: string }> {
    lastId += 1
    const output: Record<'stdout' | 'stderr', Uint8Array[]> = { stdout: [], stderr: [] }
    const start = ['node', '-e', source]
    const end = await oneOffs().run(
      { ...app, name: `run-1-${lastId}`, launch: { ...app.launch, start } },
      {
        ...{ input: input ?? null, timeoutMs, onStart: () => {} },
        signal: signal ?? new AbortController().signal,
        output: async (chunk, stream) => void output[stream].push(Buffer.from(chunk)),
      },
    )
    const { stdout, stderr } = output
    return { end, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }
  }
  const containers = () => engine.docker('ps', '-aq', '--filter', 'name=-run-')

  test('has the files, data and limits of the app, and passes on its exit code', async () => {
    const { end, stdout, stderr } = await run(`
      const fs = require('node:fs')
      fs.writeFileSync(process.env.STRATA_DATA + '/made', 'x')
      console.log(JSON.stringify([fs.existsSync('app.cjs'), process.getuid(), fs.readdirSync('/data')]))
      console.error('oops')
      process.exitCode = 7`)
    expect({ end, stderr }).toEqual({ end: { kind: 'exited', code: 7 }, stderr: 'oops\n' })
    expect(JSON.parse(stdout.toString())).toEqual([true, 1000, ['made']])
    expect(containers()).toBe('')
  })

  test('passes its standard input on byte by byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 1_000_000 }, (_, index) => index % 256))
    const { end, stdout } = await run('process.stdin.pipe(process.stdout)', {
      input: Readable.from([bytes], { objectMode: false }),
    })
    expect(end).toEqual({ kind: 'exited', code: 0 })
    expect(stdout.equals(bytes)).toBe(true)
  })

  test('ends at its time limit, and when its caller leaves', async () => {
    const idle = 'setInterval(() => {}, 1000)'
    expect((await run(idle, { timeoutMs: 500 })).end).toEqual({ kind: 'timed-out' })
    expect((await run(idle, { signal: AbortSignal.timeout(1500) })).end).toEqual({
      kind: 'aborted',
    })
    expect(containers()).toBe('')
  })

  test('is removed by the next daemon', async () => {
    const leaver = new AbortController()
    const running = run('setInterval(() => {}, 1000)', { signal: leaver.signal }).catch(() => {})
    while (containers() === '') await realClock.wait(100)
    await oneOffs().endLeftovers()
    expect(containers()).toBe('')
    leaver.abort()
    await running
  })
})
