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

describe('the process checks before the reference', () => {
  let reference: ReferenceProgram

  beforeAll(async () => {
    reference = await buildReference()
  })

  afterAll(() => reference.remove())

  for (const { title, run } of referenceChecks) {
    test.concurrent(`pass the correct one: ${title}`, () => run(reference.launch()))
  }

  test('name a broken process for every check', () => {
    const noticed = new Set<string>(Object.values(processMutants))
    expect(referenceTitles.filter((title) => !noticed.has(title))).toEqual([])
  })

  test('know the default port', async ({ skip }) => {
    if (!(await isPortFree(8080))) skip('something else listens on 8080')
    await defaultPortCheck.run(reference.launch())
  })

  test('start nothing that does not become healthy, and show what it wrote', async () => {
    const argv = [process.execPath, '-e', 'console.log("no server here")']
    await expect(bootApp({ folder: reference.folder, argv })).rejects.toThrow('no server here')
  })
})
