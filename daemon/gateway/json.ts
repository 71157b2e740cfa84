/**
 * Hand-written validation for the control socket and the snapshot: loading zod takes longer than the rest of the
 * gateway's start.
 */

export function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>) // Returns true for a non-null object that is not an array.
    : undefined
}

export function asArray<T>(
  value: unknown,
  isOne: (item: unknown) => item is T,
): readonly T[] | undefined {
  return Array.isArray(value) && value.every(isOne) ? value : undefined
}

export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

export function isNonNegativeInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

export function isPort(value: unknown): value is number {
  return isNonNegativeInteger(value) && value >= 1 && value <= 65_535
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
