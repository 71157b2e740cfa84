import { notStrictEqual, strictEqual } from 'node:assert'
import { existsSync } from 'node:fs'
import { median, pairedRatio } from '../harness/stats.ts'
import { type Program, startBare } from './bare-start.ts'
import type { Effort } from './effort.ts'
import { type Figure, quantile, type Report } from './figure.ts'
import { type Deployed, type Hosting, visit } from './hosting.ts'
import { pidOf } from './plain-app.ts'
import { findProcess, type ProcessFacts, processorMs } from './processes.ts'

/** Measures a request to a sleeping app, from the call to the last byte, next to a bare start of the same program. */
export async function measureWakes(hosting: Hosting, effort: Effort): Promise<Report> {
  const plain = await hosting.plain()
  const { branch, commit } = plain
  const isOfPlain = (text: string) => pidOf(text, { branch, commit }) > 0
  const plainFigures = figures(
    'plain Node app',
    await measureWakesOf(hosting, plain, { times: effort.plainWakes, isRight: isOfPlain }),
    { p50: 150, p99: 400 },
  )
  if (effort.emittedWakes === 0) return { figures: plainFigures, absent: [noEmitted] }
  const emitted = await hosting.emitted()
  const isOfEmitted = (text: string) => text === emitted.text
  const emittedFigures = figures(
    'emitted user-app',
    await measureWakesOf(hosting, emitted, { times: effort.emittedWakes, isRight: isOfEmitted }),
  )
  return { figures: [...plainFigures, ...emittedFigures] }
}

export const noEmitted = 'the emitted user-app: its install takes too long for --quick'

interface Wakes {
  /** Processor time of daemon and gateway for one pause and wake. */
  readonly cpuMs: number
  readonly wakeMs: readonly number[]
  readonly bareMs: readonly number[]
}

async function measureWakesOf(
  { daemon }: Hosting,
  app: Deployed,
  { times, isRight }: { times: number; isRight: (text: string) => boolean },
): Promise<Wakes> {
  const wakeMs: number[] = []
  const bareMs: number[] = []
  const cpuOf = () => processorMs(daemon.pid) + processorMs(daemon.gatewayPid)
  const cpuBefore = cpuOf()
  let { pid, ...program } = await processOf(daemon, app)
  for (let index = 0; index < times; index += 1) {
    await daemon.call(204, {
      method: 'POST',
      path: `/api/v1/environments/${app.environmentId}/pause`,
    })
    strictEqual(existsSync(`/proc/${pid}`), false, 'the process of a paused app still runs')
    const bare = await startBare(program, { path: app.path, isRight })
    await bare.stop()
    const { text, ms } = await visit(daemon, app)
    strictEqual(isRight(text), true, `a woken app answered ${text}`)
    const woken = await processOf(daemon, app)
    notStrictEqual(woken.pid, pid)
    pid = woken.pid
    bareMs.push(bare.ms)
    wakeMs.push(ms)
  }
  return { wakeMs, bareMs, cpuMs: (cpuOf() - cpuBefore) / times }

  async function processOf(of: typeof daemon, { environmentId }: Deployed) {
    const { text } = await of.call(200, { path: `/api/v1/environments/${environmentId}` })
    const { host_port: port } = JSON.parse(text)
    return bareOf(findProcess({ PORT: String(port), STRATA_COMMIT: app.commit }))
  }
}

/** Returns the program as the daemon started it, without STRATA_INSTANCE, by which the daemon recognizes its processes. */
function bareOf({ pid, argv, cwd, env }: ProcessFacts): Program & { readonly pid: number } {
  const { STRATA_INSTANCE: _, ...rest } = env
  return { pid, argv, cwd, env: rest }
}

function figures(
  name: string,
  { wakeMs, bareMs, cpuMs }: Wakes,
  targets?: { p50: number; p99: number },
): readonly Figure[] {
  const ofAll = `${wakeMs.length}, alternating`
  return [
    {
      what: `held wake, ${name}, p50`,
      value: median(wakeMs),
      unit: 'ms',
      ...(targets && { target: { atMost: targets.p50 } }),
      ratio: { times: pairedRatio(wakeMs, bareMs), to: 'its bare start' },
      of: `${ofAll}; CPU of daemon and gateway ${cpuMs.toFixed(0)} ms`,
    },
    {
      what: `held wake, ${name}, p99`,
      value: quantile(wakeMs, 0.99),
      unit: 'ms',
      ...(targets && { target: { atMost: targets.p99 } }),
      ratio: { times: quantile(wakeMs, 0.99) / quantile(bareMs, 0.99), to: 'its bare start' },
      of: wakeMs.length <= 100 ? `the slowest of ${wakeMs.length}` : ofAll,
    },
  ]
}
