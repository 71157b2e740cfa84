/** One line of `strata doctor`. */
export interface Check {
  readonly name: string
  readonly level: 'ok' | 'warn' | 'fail'
  readonly detail: string
  /** What to do about it; absent where all is well. */
  readonly next?: string
}

export function ok(name: string, detail: string): Check {
  return { name, level: 'ok', detail }
}

export function warn(name: string, detail: string, next: string): Check {
  return { name, level: 'warn', detail, next }
}

export function fail(name: string, detail: string, next: string): Check {
  return { name, level: 'fail', detail, next }
}

/** Whether a version, as `20.19.0` or `git version 2.39.5`, is at least another. */
export function isAtLeast(version: string, least: readonly [number, number]): boolean {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version) ?? []
  const [leastMajor, leastMinor] = least
  return Number(major) > leastMajor || (Number(major) === leastMajor && Number(minor) >= leastMinor)
}
