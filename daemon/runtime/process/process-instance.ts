import type { Instance } from '../../ports.ts'

/** An app that runs as processes of this host. */
export interface ProcessInstance extends Instance {
  /** Process id of the leader. */
  readonly pid: number
  /** Port of 127.0.0.1. */
  readonly port: number
}
