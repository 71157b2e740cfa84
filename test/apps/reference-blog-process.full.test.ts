import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atMost } from '../support/apps/at-most.ts'
import { type BlogMutantName, blogProcessMutants } from '../support/apps/blog/mutants.ts'
import { referenceBlogChecks } from '../support/apps/blog/program.ts'
import { buildReference, type ReferenceProgram } from '../support/apps/reference-program.ts'

describe('the process checks of the blog', () => {
  const inTurn = atMost(4)
  let reference: ReferenceProgram<BlogMutantName>

  beforeAll(async () => {
    reference = await buildReference<BlogMutantName>('./blog/main.ts')
  })

  afterAll(() => reference.remove())

  for (const [name, title] of Object.entries(blogProcessMutants)) {
    test.concurrent(`fail on the mutant ${name}: ${title}`, () =>
      inTurn(async () => {
        const check = referenceBlogChecks.find((each) => each.title === title)
        assert.ok(check !== undefined, `no check is titled ${title}`)
        const launcher = reference.launch(name as BlogMutantName) // Object.entries widens the keys
        await expect(check.run(launcher)).rejects.toBeInstanceOf(assert.AssertionError)
      }))
  }
})
