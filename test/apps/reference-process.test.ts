import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bootApp } from '../support/apps/boot.ts'
import { processMutants } from '../support/apps/reference-process-mutants.ts'
import {
  buildReference,
  type ReferenceProgram,
  referenceChecks,
  referenceTitles,
} from '../support/apps/reference-program.ts'
import { isPortFree } from '../support/free-port.ts'
import { defaultPortCheck } from './suite/settings.checks.ts'

describe('the process checks of the user application', () => {
  let reference: ReferenceProgram

  beforeAll(async () => {
    reference = await buildReference()
  })

  afterAll(() => reference.remove())

  for (const { title, run } of referenceChecks) {
    test.concurrent(`pass on the reference: ${title}`, () => run(reference.launch()))
  }

  test('have at least one mutant for every check', () => {
    const noticed = new Set<string>(Object.values(processMutants))
    expect(referenceTitles.filter((title) => !noticed.has(title))).toEqual([])
  })

  test('pass on the default port 8080', async ({ skip }) => {
    if (!(await isPortFree(8080))) skip('something else listens on 8080')
    await defaultPortCheck.run(reference.launch())
  })

  test('reject an application that does not become healthy, and show its output', async () => {
    const argv = [process.execPath, '-e', 'console.log("no server here")']
    await expect(bootApp({ folder: reference.folder, argv })).rejects.toThrow('no server here')
  })
})
