import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { median, pairedRatio, ratioRange } from '../harness/stats.ts'
import { formatRatio, formatTable } from '../harness/table.ts'
import type { Effort } from './effort.ts'
import type { Report } from './figure.ts'
import { measureGateway } from './gateway-load.ts'
import { type Hosting, startHosting } from './hosting.ts'
import { measurePushes } from './pushes.ts'
import { measureWakes } from './wakes.ts'

/** A change of the daemon may make no duration longer than this multiple. */
const maxSlowdown = 1.15
const rounds = 3

/**
 * Measures pushes, wakes and the gateway of this build and of the build in another checkout, in turn on the same
 * machine. Prints each duration as a multiple of the other build's. Returns false if a multiple exceeds 1.15. Throws if
 * the other checkout is not built.
 */
export async function compareBuilds(
  folder: string,
  otherCheckout: string,
  effort: Effort,
): Promise<boolean> {
  const otherProgram = join(otherCheckout, 'bin/stratad.js')
  if (!existsSync(join(otherCheckout, 'dist/stratad.cjs'))) {
    throw new Error(`${otherCheckout} is not built: run \`npm ci\` there first`)
  }
  const own = await startHosting(join(folder, 'this'))
  const other = await startHosting(join(folder, 'other'), { executable: otherProgram })
  const samples = new Map<string, { own: number[]; other: number[] }>()
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, measure] of Object.entries(scenarios)) {
      const builds = [
        ['own', own],
        ['other', other],
      ] as const
      // Reverses the order in each round, so that neither build always runs on a warmer machine.
      for (const [build, hosting] of round % 2 === 0 ? builds : builds.toReversed()) {
        const durations = await measure(hosting, join(folder, build), effort)
        for (const [what, value] of durations) {
          const sample = samples.get(what) ?? { own: [], other: [] }
          sample[build].push(value)
          samples.set(what, sample)
        }
      }
      console.error(`round ${round + 1} of ${rounds}: ${name}`)
    }
  }
  await Promise.all([own.stop(), other.stop()])
  return print(samples)
}

type Durations = Iterable<readonly [what: string, value: number]>

const scenarios: Readonly<
  Record<string, (hosting: Hosting, folder: string, effort: Effort) => Promise<Durations>>
> = {
  pushes: async (hosting, _, effort) =>
    figuresOf(await measurePushes(hosting, effort), ['→ all run']),
  wake: async (hosting, _, effort) =>
    figuresOf(await measureWakes(hosting, effort), ['held wake', 'p50']),
  gateway: async (hosting, folder, effort) =>
    gatewayDurations(await measureGateway(hosting, folder, effort)),
}

function figuresOf({ figures }: Report, parts: readonly string[]): Durations {
  return figures
    .filter(({ what }) => parts.every((part) => what.includes(part)))
    .map(({ what, value, unit }) => [`${what}, ${unit}`, value] as const)
}

/** Returns the time of a request through the gateway as a multiple of a direct request. */
function gatewayDurations({ tables = [] }: Report): Durations {
  return tables.flatMap(({ head, rows }) =>
    rows
      .filter(({ what }) => what.endsWith('req/s, ratio to direct'))
      .map(({ what, values }) => {
        const value = values[head.indexOf('strata') - 1] ?? Number.NaN
        return [`gateway ${what.split(' ')[0]}, time of a request / direct`, 1 / value] as const
      }),
  )
}

function print(samples: ReadonlyMap<string, { own: number[]; other: number[] }>): boolean {
  const rows = [...samples].map(([what, { own, other }]) => {
    const times = pairedRatio(own, other)
    const [least, most] = ratioRange(own, other)
    const range = `${formatRatio(least)} to ${formatRatio(most)}`
    const cells = [median(other).toFixed(2), median(own).toFixed(2), formatRatio(times), range]
    return { isMet: times <= maxSlowdown, cells: [what, ...cells] }
  })
  const head = ['', 'other build', 'this build', 'ratio', 'range', `≤ ${maxSlowdown}`]
  const table = rows.map(({ cells, isMet }) => [...cells, isMet ? 'met' : 'MISSED'])
  console.log(formatTable(head, table))
  return rows.every(({ isMet }) => isMet)
}
