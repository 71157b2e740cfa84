import * as z from 'zod'
import type { ScheduleUseCases } from '../app/ground/use-cases.ts'
import { scheduleOutcomes } from '../domain/records.ts'
import { time } from './fields.ts'

type Listed = Awaited<ReturnType<ScheduleUseCases['list']>>[number]

/** A schedule of `deploy.cron`, with its last runs. */
export const schedule = z.strictObject({
  name: z.string(),
  /** Five fields of cron. */
  schedule: z.string(),
  timezone: z.string(),
  command: z.array(z.string()),
  timeout_seconds: z.number(),
  /** Null if the schedule does not run in this environment. */
  next_run_at: time.nullable(),
  /** Newest first. */
  runs: z.array(
    z.strictObject({
      due_at: time,
      started_at: time.nullable(),
      ended_at: time.nullable(),
      outcome: z.enum(scheduleOutcomes),
      exit_code: z.int().nullable(),
      detail: z.string().nullable(),
    }),
  ),
})

export function scheduleWire({ schedule: given, nextAt, runs }: Listed): z.output<typeof schedule> {
  return {
    name: given.name,
    schedule: given.schedule,
    timezone: given.timezone,
    command: [...given.start],
    timeout_seconds: given.timeoutMs / 1000,
    next_run_at: timeOf(nextAt),
    runs: runs.map((run) => ({
      due_at: new Date(run.dueAt).toISOString(),
      started_at: timeOf(run.startedAt),
      ended_at: timeOf(run.endedAt),
      outcome: run.outcome,
      exit_code: run.exitCode,
      detail: run.detail,
    })),
  }
}

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
