import type { ChildProcess } from 'node:child_process'

/** A SIGINT or SIGTERM to strata goes to the child too, until it ends: nothing runs on behind strata. */
export function passSignalsTo(child: ChildProcess): void {
  const passOn = (signal: NodeJS.Signals) => child.kill(signal)
  const stop = () => process.off('SIGINT', passOn).off('SIGTERM', passOn)
  process.on('SIGINT', passOn).on('SIGTERM', passOn)
  child.once('error', stop).once('close', stop)
}
