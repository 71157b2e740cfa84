import type { Redacted } from './redacted.ts'

/** A POST request with a body of JSON. */
export interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string | Redacted>>
  readonly body: string
}

/** Sends requests to receivers. */
export interface Sender {
  /**
   * Sends a POST request and returns the answer, whose body is bounded. Follows no redirect. Throws `transient` with the
   * reason if no answer arrives in time, and for an address that the operator has not allowed.
   */
  post(
    request: OutgoingRequest,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly body: string; readonly retryAfterMs: number }>
  /** Returns the reason why a URL is refused before any request; undefined for an allowed URL. */
  urlFault(url: string): string | undefined
}
