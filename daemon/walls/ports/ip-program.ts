import { existsSync } from 'node:fs'
import * as z from 'zod'
import { WallFault } from './port-rules.ts'
import { runProgram } from './run-program.ts'

/** The options of `ip` for the two families of addresses. */
export type Family = '-4' | '-6'

const rule = z.looseObject({
  priority: z.number(),
  src: z.string().optional(),
  iif: z.string().optional(),
  table: z.string().optional(),
  ipproto: z.string().optional(),
  dport: z.number().optional(),
  dport_start: z.number().optional(),
  dport_end: z.number().optional(),
  uid_start: z.number().optional(),
  uid_end: z.number().optional(),
  goto: z.number().optional(),
  nop: z.null().optional(),
})
export type Rule = z.infer<typeof rule>

/** Returns the families that this host has. */
export function families(): Family[] {
  return existsSync('/proc/net/if_inet6') ? ['-4', '-6'] : ['-4']
}

/** Runs `ip`. Returns false if it fails in an expected way. Throws WallFault for every other failure. */
export async function ip(
  family: Family,
  args: readonly string[],
  expected?: RegExp,
): Promise<boolean> {
  const { code, stderr } = await runProgram('ip', [family, ...args])
  if (code === 0) return true
  if (expected?.test(stderr)) return false
  throw new WallFault(`ip ${family} ${args.join(' ')}: ${stderr.trim().split('\n', 1)[0]}`)
}

/** Returns the rules of a family in order of priority. Throws WallFault if they can't be read. */
export async function readRules(family: Family): Promise<Rule[]> {
  const { code, stdout, stderr } = await runProgram('ip', [family, '-j', 'rule', 'show'])
  if (code !== 0) throw new WallFault(`can't list routing rules: ${stderr.trim()}`)
  const rules = z.array(rule).safeParse(parseJson(stdout))
  if (!rules.success) throw new WallFault('this version of ip lists routing rules in another form')
  return rules.data
}

/** Returns the destinations of a routing table; none for an absent table. */
export async function readDestinations(family: Family, table: string): Promise<string[]> {
  const args = [family, '-j', 'route', 'show', 'table', table]
  const { code, stdout } = await runProgram('ip', args)
  const routes = z.array(z.looseObject({ dst: z.string() })).safeParse(parseJson(stdout))
  return code === 0 && routes.success ? routes.data.map(({ dst }) => dst) : []
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '[]' : text)
  } catch {
    return undefined
  }
}
