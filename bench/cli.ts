import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { TimedCommand } from './cli/command.ts'
import { nestCommands } from './cli/nest-commands.ts'
import { strataCommands, strataMissing } from './cli/strata-commands.ts'
import { timeCommand } from './cli/time-command.ts'
import { requirePeers, withTemporaryFolder } from './harness/folders.ts'
import { describeMachine, machineLine } from './harness/machine.ts'
import { alternate } from './harness/rounds.ts'
import { median, pairedRatio, ratioRange } from './harness/stats.ts'
import { formatRatio, formatTable } from './harness/table.ts'

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    rounds: { type: 'string' },
  },
})
const rounds = Number(flags.rounds ?? (flags.quick ? 5 : 15))

const bareNode: TimedCommand = {
  key: 'node',
  title: 'node -e 0',
  program: 'node',
  argv: ['-e', '0'],
  exitCode: 0,
}

requirePeers()
const missing = strataMissing()

const broken: string[] = []
const rows = await withTemporaryFolder(async (folder) => {
  const commands = await selectWorking([bareNode, ...(await collectCommands(folder))])
  const samples = await alternate(commands, rounds, timeBesideBareNode)
  return commands.map((command) => {
    const timesMs = (samples.get(command.key) ?? []).map((sample) => sample.commandMs)
    const baseMs = (samples.get(command.key) ?? []).map((sample) => sample.bareMs)
    const ratio = pairedRatio(timesMs, baseMs)
    const [lowest, highest] = ratioRange(timesMs, baseMs)
    const { key, title, program, target } = command
    const met = target === undefined ? undefined : ratio <= target
    return { key, title, program, ratio, lowest, highest, target, met, medianMs: median(timesMs) }
  })
})

if (flags.json) {
  console.log(
    JSON.stringify(
      { machine: describeMachine(), rounds, missing, broken, commands: rows },
      null,
      2,
    ),
  )
} else {
  console.log(
    `ratios to ${bareNode.title}, median of ${rounds} alternating rounds; ${machineLine()}\n`,
  )
  console.log(
    formatTable(
      ['command', 'ratio', 'lowest', 'highest', 'target', ''],
      rows.map((row) => [
        row.title,
        formatRatio(row.ratio),
        formatRatio(row.lowest),
        formatRatio(row.highest),
        row.target === undefined ? '' : `≤ ${row.target}`,
        row.met === undefined ? '' : row.met ? 'met' : 'MISSED',
      ]),
    ),
  )
}
if (missing !== undefined) console.error(`\nstrata was not measured: ${missing}`)
for (const message of broken) console.error(`\nnot measured: ${message}`)
const missed = rows.some((row) => row.met === false)
if (missing !== undefined || broken.length > 0 || (flags.check && missed)) process.exitCode = 1

/** Runs the base before and after the command, so that other load on the machine affects both. */
async function timeBesideBareNode(command: TimedCommand) {
  const beforeMs = await timeCommand(bareNode)
  const commandMs = await timeCommand(command)
  const afterMs = await timeCommand(bareNode)
  return { commandMs, bareMs: (beforeMs + afterMs) / 2 }
}

/** Runs each command once. Returns the commands that succeed, and records the others in `broken`. */
async function selectWorking(commands: readonly TimedCommand[]): Promise<TimedCommand[]> {
  const working: TimedCommand[] = []
  for (const command of commands) {
    try {
      await timeCommand(command)
      working.push(command)
    } catch (error) {
      broken.push(error instanceof Error ? error.message : String(error))
    }
  }
  return working
}

async function collectCommands(folder: string): Promise<TimedCommand[]> {
  const [forStrata, forNest] = [join(folder, 'strata'), join(folder, 'nest')]
  await Promise.all([mkdir(forStrata), mkdir(forNest)])
  return [
    ...(missing === undefined ? strataCommands(forStrata) : []),
    ...(await nestCommands(forNest)),
  ]
}
