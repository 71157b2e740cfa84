const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Ten years: longer ones are slips of the keyboard, and stay far below what a number holds exactly. */
const mostMs = 3650 * unitMs.d

/** Milliseconds of a text as `30s`, `30m`, `2h` or `7d`; undefined for another text, nothing and more than ten years. */
export function durationMs(text: string): number | undefined {
  const parts = /^([1-9]\d{0,8})([smhd])$/.exec(text)
  if (!parts) return undefined
  const ms = Number(parts[1]) * unitMs[parts[2] as keyof typeof unitMs]
  return ms <= mostMs ? ms : undefined
}

/** The shortest text for whole seconds: `90_000` is `90s`, `120_000` is `2m`. Parts of a second are cut off, down to `1s`. */
export function durationText(ms: number): string {
  const whole = Math.max(unitMs.s, ms - (ms % unitMs.s))
  const unit = (['d', 'h', 'm'] as const).find((name) => whole % unitMs[name] === 0) ?? 's'
  return `${whole / unitMs[unit]}${unit}`
}
