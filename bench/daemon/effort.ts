/** Repetitions and durations. A cell is one subject, one kind of request, one number of connections, one round. */
export interface Effort {
  /** Measured rounds; one warm-up round runs before them. */
  readonly pushRounds: number
  readonly webhooks: number
  readonly plainWakes: number
  /** 0 skips the emitted app: its install alone takes longer than a quick run. */
  readonly emittedWakes: number
  /** Load before the first cell of each subject, so that V8 has compiled its code. */
  readonly warmUpMs: number
  readonly loadRounds: number
  readonly loadCellMs: number
  readonly gatewayRounds: number
  readonly gatewayCellMs: number
  readonly routeChanges: number
}

export const fullEffort: Effort = {
  pushRounds: 7,
  webhooks: 400,
  plainWakes: 200,
  emittedWakes: 30,
  warmUpMs: 2_000,
  loadRounds: 4,
  loadCellMs: 900,
  gatewayRounds: 4,
  gatewayCellMs: 400,
  routeChanges: 25,
}

export const quickEffort: Effort = {
  pushRounds: 2,
  webhooks: 200,
  plainWakes: 20,
  emittedWakes: 0,
  warmUpMs: 1_500,
  loadRounds: 2,
  loadCellMs: 350,
  gatewayRounds: 2,
  gatewayCellMs: 200,
  routeChanges: 8,
}
