import type { Environment } from '../../domain/records.ts'
import { isLive } from '../../domain/states.ts'
import { DaemonError } from '../../errors.ts'

/** Updates the environment of a deploy and returns it. Throws `unprocessable` if it was destroyed meanwhile. */
export function requireBuilding(environment: Environment | undefined): Environment {
  if (environment && (environment.state === 'building' || isLive(environment.state))) {
    return environment
  }
  throw new DaemonError('unprocessable', 'the environment was destroyed during its deploy')
}
