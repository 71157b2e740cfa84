/** Masks a token for display: keeps the first four characters of a token of at least 16. */
export function maskToken(token: string): string {
  return token.length < 16 ? '****' : `${token.slice(0, 4)}…`
}
