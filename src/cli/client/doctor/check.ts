/** One check of `strata doctor`, printed as a line. */
export interface Check {
  readonly name: string
  readonly level: 'ok' | 'warn' | 'fail'
  readonly detail: string
  /** Advice for a fix; absent if `level` is `ok`. */
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

/** Compares the first `major.minor` in a text, for example `git version 2.39.5`, with a minimum. */
export function isAtLeast(version: string, minimum: readonly [number, number]): boolean {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version) ?? []
  const [minMajor, minMinor] = minimum
  return Number(major) > minMajor || (Number(major) === minMajor && Number(minor) >= minMinor)
}
