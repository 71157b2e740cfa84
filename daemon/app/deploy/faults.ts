import { DaemonError, diskFault } from '../../errors.ts'

/** A deploy that never had a right to begin: no row is written for it, and its caller gets the error as it is. */
export class RefusedDeploy extends DaemonError {}

/** It fits when others have gone: back into the line, and not counted as an attempt. */
export class NoRoom extends Error {
  readonly memoryMb: number
  constructor(memoryMb: number) {
    super(`it waits for ${memoryMb} MiB of memory to become free`)
    this.memoryMb = memoryMb
  }
}

/** Somebody else works at the entry now: nothing more may be written for it. */
export class LeaseLost extends Error {}

/** The daemon stops: another start takes the deploy up again. */
export class Interrupted extends Error {
  constructor() {
    super('it was interrupted by a restart of the daemon')
  }
}

/** What a caller may be told of a fault; bugs keep their details for the log. */
export function toDeployError(fault: unknown): DaemonError {
  const error = diskFault(fault)
  if (error instanceof DaemonError) return error
  return new DaemonError(
    'internal',
    'the deploy met an internal error; the log of the daemon says more',
    {
      cause: error,
    },
  )
}
