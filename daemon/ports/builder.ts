import type { RecognizedApp } from '../domain/recognized-app.ts'
import type { Launch } from '../domain/records.ts'

export interface Builder {
  /** Reads a checkout's `strata.json` and adds defaults. Throws `unprocessable` with the fault in the file. */
  plan(checkout: string): Promise<BuildPlan>
  /**
   * Gives the checkout to the project's user. As this user, installs packages (cached by lock file hash), builds, and
   * removes development packages. Ends everything it started. Throws `unprocessable` with the reason.
   */
  build(
    checkout: string,
    plan: BuildPlan,
    options: {
      projectId: number
      /** Node that will run the app; absent: the daemon's own host. */
      nodeId?: number
      env: Readonly<Record<string, string>>
      output: OutputSink
      signal: AbortSignal
    },
  ): Promise<void>
  /** Removes what a build keeps outside of the folder of its release, such as an image. Call it before the folder goes. */
  discard(folder: string): Promise<void>
  /** Deletes caches beyond the size limits, except caches in use. */
  prune(): Promise<void>
  /** Deletes the caches of a removed project. */
  removeProject(projectId: number): Promise<void>
}

export interface BuildPlan {
  readonly app: RecognizedApp
  readonly install: readonly string[] | null
  readonly build: readonly string[] | null
  readonly launch: Launch
}

export type OutputSink = (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void
