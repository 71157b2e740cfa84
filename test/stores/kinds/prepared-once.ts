import type { AppUnderTest } from '../../apps/suite/check.ts'
import type { Contract } from '../../apps/suite/contract.ts'
import type { Preparation, Resource } from '../../apps/suite/resource.ts'

/**
 * The contract with resources that each application prepares once, for all the checks: to hash the password of
 * somebody new takes longer than most of them. `npm test` has each check prepare its own.
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
