import { constants } from 'node:os'
import { stripVTControlCharacters } from 'node:util'
import { type LogKey, logKey } from '../domain/process-names.ts'
import type { InstanceExit, LogLine } from '../ports.ts'
import { failedExec } from './failed-exec.ts'

/** Number of log lines searched for the cause of a crash. */
const lastLines = 40

/** Returns the reason for the failed start of an app that ended before it answered. */
export async function describeEarlyExit(
  { code, signal, environmentId, process, misuse, outOfMemoryMb }: InstanceExit,
  logs: { tail(key: LogKey, lines: number): Promise<LogLine[]> } | undefined,
): Promise<string> {
  if (misuse !== undefined) return misuse
  if (outOfMemoryMb !== undefined) {
    return `the app ran out of memory before it answered: limit ${outOfMemoryMb} MB; raise deploy.memory_mb in strata.json`
  }
  const how = signal
    ? `was ended by ${signal}`
    : code === null
      ? 'ended'
      : `exited with code ${code}`
  const lines = (await logs?.tail(logKey(environmentId, process), lastLines).catch(() => [])) ?? []
  const errors = lines
    .filter(({ stream }) => stream === 'stderr')
    .map(({ line }) => stripVTControlCharacters(line).trim())
    .filter((line) => line !== '')
  const errorLine = errors.findLast((line) => /^\S*(error|exception|panic|fatal)\b/i.test(line))
  const excerpt = errorLine ?? errors.at(-1)
  const failed = excerpt === undefined ? undefined : failedExec(excerpt)
  if (failed !== undefined) return failed
  // Not cut: the caller masks secrets first, and a cut secret would not be found.
  return `the app ${how} before it answered${excerpt ? `: ${excerpt}` : ''}`
}

/** Splits an exit status of a shell or an engine: 128 and the number of the signal that ended the program. */
export function exitOfStatus(status: number): Pick<InstanceExit, 'code' | 'signal'> {
  const found = Object.entries(constants.signals).find(([, number]) => number === status - 128)
  return found ? { code: null, signal: found[0] } : { code: status, signal: null }
}
