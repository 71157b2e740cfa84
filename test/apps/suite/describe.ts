import { describe, test } from 'vitest'
import { blogChecks } from './blog/blog.ts'
import type { AppUnderTest, Check } from './check.ts'
import type { Contract } from './contract.ts'
import { commonChecks } from './suites.ts'
import { userChecks } from './users.ts'

/** Registers the common checks of a contract; `app` is called when the tests run. */
export function describeCommon(contract: Contract, app: () => AppUnderTest): void {
  describeChecks('the common contract', commonChecks(contract), app)
}

/** Registers the checks that only the user application must pass. */
export function describeUsers(app: () => AppUnderTest): void {
  describeChecks('the user application', userChecks, app)
}

/** Registers the checks that only the blog must pass. */
export function describeBlog(app: () => AppUnderTest): void {
  describeChecks('the blog', blogChecks, app)
}

function describeChecks(name: string, checks: readonly Check[], app: () => AppUnderTest): void {
  describe(name, () => {
    for (const { title, run } of checks) test(title, () => run(app()))
  })
}
