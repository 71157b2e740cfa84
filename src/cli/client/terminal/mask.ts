/** A token as it may be shown: enough of it to tell two apart, and nothing of a short one. */
export function maskToken(token: string): string {
  return token.length < 16 ? '****' : `${token.slice(0, 4)}…`
}
