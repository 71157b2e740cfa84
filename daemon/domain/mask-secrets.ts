/** Shorter values match ordinary words. */
const minLength = 6

/**
 * Replaces secret values in a text with `[redacted]`, also the single lines of a value with several lines. Mask a text
 * before cutting it: a cut value is not found.
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, ...secret.split(/\r?\n/)])
    .filter((secret) => secret.length >= minLength)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text)
}
