import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atMost } from '../support/apps/at-most.ts'
import { type BlogMutantName, blogProcessMutants } from '../support/apps/blog/mutants.ts'
import { referenceBlogChecks } from '../support/apps/blog/program.ts'
import { buildReference, type ReferenceProgram } from '../support/apps/reference-program.ts'
import { diskChecks } from './suite/blog/disk.checks.ts'
import { secretChecks } from './suite/blog/secrets.checks.ts'

describe('the process checks of the blog', () => {
  const inTurn = atMost(4)
  let reference: ReferenceProgram<BlogMutantName>

  beforeAll(async () => {
    reference = await buildReference<BlogMutantName>('./blog/main.ts')
  })

  afterAll(() => reference.remove())

  for (const { title, run } of referenceBlogChecks) {
    test.concurrent(`pass on the reference blog: ${title}`, () =>
      inTurn(() => run(reference.launch())))
  }

  test('have unique titles, and a mutant for every check that only a blog has', () => {
    const titles = referenceBlogChecks.map(({ title }) => title)
    expect(titles).toEqual([...new Set(titles)])
    const noticed = new Set<string>(Object.values(blogProcessMutants))
    const own = [...secretChecks, ...diskChecks].map(({ title }) => title)
    expect(own.filter((title) => !noticed.has(title))).toEqual([])
  })
})
