/** Returns the code of a system error, for example `ENOENT`, or the error as text if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
