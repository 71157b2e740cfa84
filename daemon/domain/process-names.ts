/** The name of the process that serves requests. */
export const webProcess = 'web'

/** Matches the names of processes and schedules in `strata.json` and in a Procfile. */
export const processNamePattern = /^[a-z][a-z0-9-]{0,29}$/

/**
 * Returns the name under which a runtime runs a process of an environment. The name is the same in every daemon run, so
 * that the daemon can find orphaned processes. No `process`: the web process.
 */
export function instanceName(environmentId: number, process?: string): string {
  return process === undefined ? `strata-${environmentId}` : `strata-${environmentId}-${process}`
}

/** Parses the name of an instance. Returns undefined for another name, such as that of a build. */
export function parseInstanceName(
  name: string,
): { readonly environmentId: number; readonly process?: string } | undefined {
  const [, id, process] = /^strata-(\d+)(?:-([a-z0-9_-]+))?$/.exec(name) ?? []
  if (id === undefined) return undefined
  return { environmentId: Number(id), ...(process !== undefined && { process }) }
}

/** A log: that of an environment with its builds and its web process, or `<id>.<process>` of another process. */
export type LogKey = number | string

export function logKey(environmentId: number, process?: string): LogKey {
  return process === undefined ? environmentId : `${environmentId}.${process}`
}

/** The process of a schedule. No process of `strata.json` has an underscore in its name. */
export function scheduleProcess(name: string): string {
  return `cron_${name}`
}

/** Returns true for the process of a schedule. */
export function isScheduleProcess(process: string | undefined): boolean {
  return process?.includes('_') === true
}
