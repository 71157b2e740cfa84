import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ProcessMutantName,
  processMutants,
} from '../support/apps/reference-process-mutants.ts'
import {
  buildReference,
  type ReferenceProgram,
  referenceChecks,
} from '../support/apps/reference-program.ts'
import { defaultPortCheck } from './suite/settings.checks.ts'

/** Slow: a process that does not stop gets its ten seconds. */
describe('the process checks of the user application', () => {
  let reference: ReferenceProgram

  beforeAll(async () => {
    reference = await buildReference()
  })

  afterAll(() => reference.remove())

  for (const [name, title] of Object.entries(processMutants)) {
    if (title === defaultPortCheck.title) continue
    test.concurrent(`fail on the mutant ${name}: ${title}`, async () => {
      const check = referenceChecks.find((each) => each.title === title)
      assert.ok(check !== undefined, `no check is titled ${title}`)
      const launcher = reference.launch(name as ProcessMutantName) // Object.entries widens the keys
      await expect(check.run(launcher)).rejects.toBeInstanceOf(assert.AssertionError)
    })
  }
})
