/** Replaces control characters and line breaks, so that untrusted text can't drive the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}
