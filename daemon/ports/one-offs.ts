/** The port to one-off programs: commands that run beside an app, in its release, until they end or their caller leaves. */

import type { Readable } from 'node:stream'
import type { AppSpec } from './runtime.ts'

export interface OneOffs {
  /**
   * Runs the words of `app.launch.start` with the app's user, limits, variables and data, but without its port. Resolves
   * when no process of the program is left and its output was taken. Throws `unprocessable` if the program can't start.
   * `app.name` must be unique. A run never outlives the daemon for longer than the next start of the daemon.
   */
  run(app: AppSpec, io: OneOffIo): Promise<OneOffEnd>
}

export interface OneOffIo {
  /** The standard input; null: the program reads end-of-file at once. */
  readonly input: Readable | null
  /** Called once, when the program exists. */
  readonly onStart: () => void
  /** Takes a chunk of output. The program waits while the promise is pending. */
  readonly output: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => Promise<void>
  /** Ends the program when aborted. */
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

export type OneOffEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'out-of-memory'; readonly limitMb: number }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'aborted' }
