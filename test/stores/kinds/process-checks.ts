import { diskChecks } from '../../apps/suite/blog/disk.checks.ts'
import { preparedProcessChecks } from '../../apps/suite/blog/process.checks.ts'
import { tags } from '../../apps/suite/blog/resources.ts'
import { secretChecks } from '../../apps/suite/blog/secrets.checks.ts'
import { processChecks } from '../../apps/suite/process.checks.ts'
import type { ProcessCheck } from '../../apps/suite/process.ts'
import type { Resource } from '../../apps/suite/resource.ts'
import {
  sharedStoreCheck,
  storageChecks,
  storeFailureCheck,
  storeWaitCheck,
} from '../../apps/suite/storage.checks.ts'
import type { AppName } from '../../apps/suite/suites.ts'
import { users } from '../../apps/suite/users.ts'
import type { Skipped } from '../servers/test-server.ts'
import type { Kind } from './kind.ts'

export interface KindCheck extends ProcessCheck {
  /** Why the check does not apply to the kind. */
  readonly skipped?: string
}

/**
 * Returns the checks of an application as a process, on a store of this kind. Both applications
 * share the code of shutdown, logging and settings, so only the smaller application runs these
 * checks.
 */
export function processChecksOf(name: AppName, store: Kind): readonly KindCheck[] {
  if (name === 'user') return [...processChecks(users), ...storeChecks(users, store)]
  return [...secretChecks, ...diskChecks, ...ofTags(storageChecks), ...ofTags(storeChecks)]

  /** Keeps the `skipped` reasons, which `preparedProcessChecks` drops. */
  function ofTags(checksOf: (resource: Resource, store: Kind) => readonly KindCheck[]) {
    const ofStore = (resource: Resource) => checksOf(resource, store)
    const prepared = preparedProcessChecks(tags, ofStore)
    return ofStore(tags).map((check, at) => ({ ...check, ...prepared[at] }))
  }
}

function storeChecks(resource: Resource, { dropTable, holdWrites }: Kind): readonly KindCheck[] {
  return [
    sharedStoreCheck(resource),
    checkIfAble(holdWrites, (hold) => storeWaitCheck(resource, hold)),
    checkIfAble(dropTable, (drop) =>
      storeFailureCheck(resource, (url) => drop(url, resource.plural)),
    ),
  ]
}

/** Returns a check that needs an ability of the store, marked as skipped if the store lacks the ability. */
function checkIfAble<Ability extends object>(
  ability: Ability | Skipped,
  checkWith: (ability: Ability) => ProcessCheck,
): KindCheck {
  if (!('skipped' in ability)) return checkWith(ability)
  // The check is never run: only its title is used.
  return { ...checkWith({} as Ability), skipped: ability.skipped }
}
