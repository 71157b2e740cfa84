import type { AppUnderTest } from '../../apps/suite/check.ts'
import type { Contract } from '../../apps/suite/contract.ts'
import type { Preparation, Resource } from '../../apps/suite/resource.ts'

/**
 * Returns the contract with resources that each application prepares once for all checks. Hashing the password of a
 * new user takes longer than most checks. In `npm test` each check prepares its own resources.
 */
export function preparedOnce(contract: Contract): Contract {
  return { ...contract, resources: contract.resources.map(rememberPreparation) }
}

function rememberPreparation(resource: Resource): Resource {
  const { prepare } = resource
  if (prepare === undefined) return resource
  const preparations = new WeakMap<AppUnderTest, Promise<Preparation>>()
  return {
    ...resource,
    prepare(app) {
      const preparation = preparations.get(app) ?? prepare(app)
      preparations.set(app, preparation)
      return preparation
    },
  }
}
