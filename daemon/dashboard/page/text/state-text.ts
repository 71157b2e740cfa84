import type { Environment } from '../../../client/contract.ts'

const texts: Readonly<Record<Environment['state'], string>> = {
  building: 'Building',
  running: 'Running',
  paused: 'Paused',
  hibernating: 'Hibernating',
  build_failed: 'Build failed',
  destroyed: 'Destroyed',
}

/** Returns the word for a state, such as `Build failed`. */
export function stateText(state: Environment['state']): string {
  return texts[state]
}
