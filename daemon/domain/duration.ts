const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Maximum duration: ten years. Longer durations are typing errors. */
const maxMs = 3650 * unitMs.d

/** Returns the milliseconds of `30s`, `30m`, `2h` or `7d`; undefined if the text is invalid, zero or over ten years. */
export function durationMs(text: string): number | undefined {
  const parts = /^([1-9]\d{0,8})([smhd])$/.exec(text)
  if (!parts) return undefined
  const ms = Number(parts[1]) * unitMs[parts[2] as keyof typeof unitMs]
  return ms <= maxMs ? ms : undefined
}

/** Returns the shortest text of a duration: `90s` for 90000, `2m` for 120000. Rounds down to seconds, at least `1s`. */
export function durationText(ms: number): string {
  const whole = Math.max(unitMs.s, ms - (ms % unitMs.s))
  const unit = (['d', 'h', 'm'] as const).find((name) => whole % unitMs[name] === 0) ?? 's'
  return `${whole / unitMs[unit]}${unit}`
}
