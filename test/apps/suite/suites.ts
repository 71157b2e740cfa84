import { blogChecks } from './blog/blog.ts'
import { blogContract } from './blog/contract.ts'
import { bodyChecks } from './bodies.checks.ts'
import type { Check } from './check.ts'
import { concurrencyChecks } from './concurrency.checks.ts'
import { connectionChecks, pipelineCheck } from './connections.checks.ts'
import type { Contract } from './contract.ts'
import { crudChecks } from './crud.checks.ts'
import { headerChecks } from './headers.checks.ts'
import { healthChecks } from './health.checks.ts'
import { idChecks } from './ids.checks.ts'
import { listOrderChecks } from './list-order.checks.ts'
import { listChecks } from './lists.checks.ts'
import { openApiChecks } from './openapi.checks.ts'
import { pathChecks } from './paths.checks.ts'
import { preparedChecks } from './prepared.ts'
import type { Resource } from './resource.ts'
import { textChecks } from './text.checks.ts'
import { userChecks, userContract } from './users.ts'
import { validationChecks } from './validation.checks.ts'

/** The known applications, each with its checks. */
export const suites = {
  user: [...commonChecks(userContract), ...userChecks],
  blog: [...commonChecks(blogContract), ...blogChecks],
} as const satisfies Readonly<Record<string, readonly Check[]>>

export type AppName = keyof typeof suites

export const appNames: readonly AppName[] = ['user', 'blog']

/** Returns the checks of the section "Common" of the contract for an application. */
export function commonChecks(contract: Contract): readonly Check[] {
  const [resource] = contract.resources
  return [
    ...healthChecks,
    ...(resource === undefined
      ? pathChecks(contract)
      : preparedChecks(resource, (ready) => [
          ...pathChecks(contract),
          ...headerChecks(ready),
          pipelineCheck(ready),
        ])),
    ...contract.resources.flatMap((each) => preparedChecks(each, resourceChecks)),
    ...openApiChecks(contract),
  ]
}

function resourceChecks(resource: Resource): readonly Check[] {
  return [
    ...crudChecks(resource),
    ...idChecks(resource),
    ...bodyChecks(resource),
    ...validationChecks(resource),
    ...listChecks(resource),
    ...listOrderChecks(resource),
    ...textChecks(resource),
    ...concurrencyChecks(resource),
    ...connectionChecks(resource),
  ]
}
