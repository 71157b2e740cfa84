import { DaemonError, diskFault } from '../../errors.ts'

/** An invalid deploy request. The caller receives this error; no failed environment is inserted. */
export class RefusedDeploy extends DaemonError {}

/** No node has enough free memory now. The deploy is requeued, and the attempt does not count. */
export class AwaitsMemory extends Error {
  readonly memoryMb: number
  constructor(memoryMb: number) {
    super(`waiting for ${memoryMb} MiB of free memory`)
    this.memoryMb = memoryMb
  }
}

/** The disk has no room for a build now. The deploy is requeued, and the attempt does not count. */
export class AwaitsDisk extends Error {}

/** Another daemon holds the lease of the deploy: this daemon must stop writing. */
export class LeaseLost extends Error {
  constructor() {
    super('the lease of the deploy was lost')
  }
}

/** The daemon is stopping. The next daemon repeats the deploy. */
export class Interrupted extends Error {
  constructor() {
    super('the deploy was interrupted by a restart of the daemon')
  }
}

/** Returns the error for the caller. Details of a bug stay in `cause`, for the log. */
export function toDeployError(fault: unknown): DaemonError {
  const error = diskFault(fault)
  if (error instanceof DaemonError) return error
  return new DaemonError(
    'internal',
    'the deploy met an internal error: see the log of the daemon',
    {
      cause: error,
    },
  )
}
