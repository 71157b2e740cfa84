import { availableParallelism, cpus, loadavg } from 'node:os'

/** Describes the machine for the report: figures are valid for this machine and its load only. */
export function describeMachine() {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    loadAverage1m: loadavg()[0] ?? 0,
  }
}

export function machineLine(): string {
  const { node, platform, cores, loadAverage1m } = describeMachine()
  return `node ${node}, ${platform}, ${cores} cores, load average ${loadAverage1m.toFixed(2)}`
}
