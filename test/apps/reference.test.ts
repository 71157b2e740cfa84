import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { startReferenceApp } from '../support/apps/reference-app.ts'
import { type MutantName, referenceMutants } from '../support/apps/reference-mutants.ts'
import { type Check, outcomeOf } from './suite/check.ts'
import { suites } from './suite/suites.ts'

const checks: readonly Check[] = suites.user

describe('the suite before its own reference', () => {
  test('passes the correct one, twice on the same data and in any order', async () => {
    const app = await startReferenceApp()
    try {
      for (const check of [...checks, ...checks.toReversed()]) {
        expect.soft((await outcomeOf(check, app)).failure, check.title).toBeUndefined()
      }
    } finally {
      app.stop()
    }
  })

  test('has titles that are unique', () => {
    const titles = checks.map(({ title }) => title)
    expect(titles).toEqual([...new Set(titles)])
  })

  test('has at least one broken reference for every check', () => {
    const noticed = new Set<string>(Object.values(referenceMutants))
    expect(checks.map(({ title }) => title).filter((title) => !noticed.has(title))).toEqual([])
  })

  for (const [name, title] of Object.entries(referenceMutants)) {
    test(`notices the reference broken by ${name}`, async () => {
      const check = checks.find((each) => each.title === title)
      assert.ok(check !== undefined, `no check is titled ${title}`)
      const app = await startReferenceApp(name as MutantName) // Object.entries widens the keys
      try {
        const { failure } = await outcomeOf(check, app)
        expect(failure, title).toBeInstanceOf(assert.AssertionError)
      } finally {
        app.stop()
      }
    })
  }
})
