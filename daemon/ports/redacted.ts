/** A secret in memory. Logs, templates and JSON show `[redacted]`; only `reveal()` returns the value. */
export interface Redacted {
  reveal(): string
}
