import type { Environment } from '../../domain/records.ts'
import { isLive } from '../../domain/states.ts'
import { DaemonError } from '../../errors.ts'

/** Returns the updated row of a deploy. Throws `unprocessable` if the environment was destroyed meanwhile. */
export function requireBuilding(environment: Environment | undefined): Environment {
  if (environment && (environment.state === 'building' || isLive(environment.state))) {
    return environment
  }
  throw new DaemonError('unprocessable', 'the environment was destroyed during its deploy')
}
