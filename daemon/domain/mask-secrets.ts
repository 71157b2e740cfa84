/** Shorter values match ordinary words. */
const minLength = 6

/**
 * Replaces secret values in a text with `[redacted]`, also the single lines of a value with several lines, and the
 * password in a URL. Mask a text before cutting it: a cut value is not found.
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, ...secret.split(/\r?\n/), ...passwordsIn(secret)])
    .filter((secret) => secret.length >= minLength)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text)
}

/** Returns the password of a URL, as written and decoded. Programs print it without the URL. */
export function passwordsIn(value: string): string[] {
  const [, written] = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^/\s@]+)@/i.exec(value) ?? []
  return written === undefined ? [] : [...new Set([written, decoded(written)])]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
