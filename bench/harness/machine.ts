import { availableParallelism, cpus, loadavg } from 'node:os'

/** What ran the numbers: they mean nothing without it, and little on a busy machine. */
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
