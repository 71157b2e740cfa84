import type { ChildProcess } from 'node:child_process'

/** Forwards SIGINT and SIGTERM to a child process until the child ends, so that it does not outlive strata. */
export function forwardSignals(child: ChildProcess): void {
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  const stop = () => process.off('SIGINT', forward).off('SIGTERM', forward)
  process.on('SIGINT', forward).on('SIGTERM', forward)
  child.once('error', stop).once('close', stop)
}
