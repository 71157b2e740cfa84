/** Returns true for a calendar day such as `2026-01-31`. The years 1000 to 9999 are valid in every store. */
export function isDate(text: string): boolean {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/**
 * Converts an instant with an offset (`2026-01-31T12:00:00+01:00`) to UTC with milliseconds, the format
 * of the emitted application. Returns `undefined` for any other text.
 */
export function toInstant(text: string): string | undefined {
  const shape = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/
  const day = shape.exec(text)?.[1]
  const date = new Date(text)
  if (day === undefined || !isDate(day) || Number.isNaN(date.getTime())) return undefined
  const instant = date.toISOString()
  return isDate(instant.slice(0, 10)) ? instant : undefined
}
