import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userAppMutants } from './mutants/user-app.ts'
import { suites } from './suite/suites.ts'
import { atMost } from './support/at-most.ts'
import { type MutantCopy, snapshotOf } from './support/mutant-copy.ts'
import { failureOf } from './support/mutant-run.ts'
import { prepareApp } from './support/prepare.ts'
import { isUserAppThere, userApp, userAppModules, userProcessChecks } from './support/user-app.ts'

const isSkipped = !isUserAppThere()
const reason = isSkipped ? ' (skipped: examples/user-app is not emitted yet)' : ''
const checks = { http: suites.user, process: userProcessChecks }

describe.skipIf(isSkipped)(`the suite before broken versions of user-app${reason}`, () => {
  const inTurn = atMost(2)

  let snapshot: MutantCopy

  beforeAll(async () => {
    await prepareApp(userApp.folder)
    snapshot = await snapshotOf(userApp.folder)
  })

  afterAll(() => snapshot.remove())

  for (const mutant of userAppMutants) {
    test.concurrent(`notices ${mutant.name}: ${mutant.noticedBy}`, () =>
      inTurn(async () => {
        const program = { ...userApp, folder: snapshot.folder }
        const failure = await failureOf(mutant, program, checks, userAppModules)
        expect(failure, 'the check passes').toBeInstanceOf(assert.AssertionError)
      }))
  }
})
