import { Cron } from 'croner'

/** When a schedule is due: five fields of cron in a time zone. */
export interface ScheduleTimes {
  readonly schedule: string
  /** Name of an IANA time zone, such as `Europe/Berlin`. */
  readonly timezone: string
}

/** Returns the fault of a schedule as the rest of a sentence; undefined if the schedule is valid. */
export function scheduleFault({ schedule, timezone }: ScheduleTimes): string | undefined {
  if (schedule.trim().split(/\s+/).length !== 5) {
    return 'must have five fields: minute, hour, day of month, month, day of week'
  }
  if (!isTimezone(timezone)) return `has an unknown time zone ${timezone}: expected one such as UTC`
  try {
    if (nextTime({ schedule, timezone }, Date.UTC(2026, 0, 1)) === null) return 'is never due'
    return undefined
  } catch (error) {
    return `is not a schedule: ${(error as Error).message.replace(/^CronPattern: /, '')}`
  }
}

/** Returns the first time after `after`, in milliseconds since 1970; null if there is none. */
export function nextTime(times: ScheduleTimes, after: number): number | null {
  return cronOf(times).nextRun(new Date(after))?.getTime() ?? null
}

/** Returns the times after `after` until `until`, oldest first, at most `max`. */
export function timesBetween(
  times: ScheduleTimes,
  { after, until, max }: { after: number; until: number; max: number },
): number[] {
  const cron = cronOf(times)
  const found: number[] = []
  for (let at = after; found.length < max; ) {
    const next = cron.nextRun(new Date(at))?.getTime()
    if (next === undefined || next > until) break
    found.push(next)
    at = next
  }
  return found
}

function cronOf({ schedule, timezone }: ScheduleTimes): Cron {
  return new Cron(schedule, { timezone, mode: '5-part', paused: true })
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
