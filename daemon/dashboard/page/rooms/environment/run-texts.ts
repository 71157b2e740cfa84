import type { Environment, Schedule } from '../../../../client/contract.ts'
import { asSentence } from '../../text/error-text.ts'
import { counted } from '../../text/format.ts'

type Run = Schedule['runs'][number]

interface Look {
  readonly text: string
  readonly tone: 'good' | 'warn' | 'bad' | 'rest' | 'accent'
}

export const processLooks: Readonly<Record<Environment['processes'][number]['state'], Look>> = {
  running: { text: 'Running', tone: 'good' },
  restarting: { text: 'Restarting', tone: 'warn' },
  stopped: { text: 'Stopped', tone: 'rest' },
}

export const outcomeLooks: Readonly<Record<Run['outcome'], Look>> = {
  running: { text: 'Running', tone: 'accent' },
  succeeded: { text: 'Succeeded', tone: 'good' },
  failed: { text: 'Failed', tone: 'bad' },
  timed_out: { text: 'Timed out', tone: 'bad' },
  unknown: { text: 'Unknown', tone: 'rest' },
  skipped: { text: 'Skipped', tone: 'warn' },
  missed: { text: 'Missed', tone: 'warn' },
}

/** Returns why a run ended as it did: its explanation, or its exit code; undefined if there is nothing to explain. */
export function runReason({
  detail,
  exit_code: code,
}: Pick<Run, 'detail' | 'exit_code'>): string | undefined {
  if (detail !== null) return asSentence(detail)
  return code === null || code === 0 ? undefined : `Exit code ${code}.`
}

/** Returns how long a finished run took; undefined if it has not ended, or took less than a second. */
export function tookText(run: Pick<Run, 'started_at' | 'ended_at'>): string | undefined {
  if (run.started_at === null || run.ended_at === null) return undefined
  const seconds = Math.round((Date.parse(run.ended_at) - Date.parse(run.started_at)) / 1000)
  if (seconds < 1) return undefined
  if (seconds < 60) return `took ${counted(seconds, 'second')}`
  return `took ${counted(Math.round(seconds / 60), 'minute')}`
}
