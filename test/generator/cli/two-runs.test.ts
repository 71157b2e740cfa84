import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  addFeature,
  done,
  project,
  sharedProject,
  temporaryFolder,
} from '../../support/generator/folders.ts'
import { ended, start, strata } from '../../support/generator/strata.ts'
import { hashTree } from '../../support/tree.ts'

const book = ['feature', 'Book', 'title:string']
const author = ['feature', 'Author', 'name:string']

test('two concurrent runs both change the project', async () => {
  const expected = [
    hashTree(await sharedProject('Book title:string', 'Author name:string')),
    hashTree(await sharedProject('Author name:string', 'Book title:string')),
  ]
  for (let round = 0; round < 3; round++) {
    const root = await project()
    const runs = await Promise.all([strata(root, book), strata(root, author)])
    for (const [i, { code, stderr }] of runs.entries()) {
      if (code === 0) continue
      // A run may also be refused, with a message about the other run.
      expect([code, stderr]).toEqual([3, expect.stringMatching(/^error: another strata run/)])
      await done(root, ...(i === 0 ? book : author))
    }
    expect(expected).toContain(hashTree(root))
  }
})

test('a run killed at any time leaves the old project or the new one to the next run', async () => {
  const usualMs = await duration(async () => addFeature(await project(), 'Book title:string'))
  for (let share = 0.2; share < 1.1; share += 0.1) {
    const root = await project()
    await killed(root, book, usualMs * share)
    // The next run of any command first completes or discards the interrupted change.
    await addFeature(root, 'Author name:string')
    const expected = existsSync(join(root, 'src/domain/book.ts'))
      ? await sharedProject('Book title:string', 'Author name:string')
      : await sharedProject('Author name:string')
    expect(hashTree(root)).toBe(hashTree(expected))
  }
})

test('an init killed at any time leaves no project or a complete one', async () => {
  const whole = hashTree(await sharedProject())
  const usualMs = await duration(() => done(temporaryFolder(), ...init))
  for (let share = 0.3; share < 1.1; share += 0.2) {
    const folder = temporaryFolder()
    await killed(folder, init, usualMs * share)
    if (!existsSync(join(folder, 'shop'))) await done(folder, ...init)
    expect(hashTree(join(folder, 'shop'))).toBe(whole)
    expect(readdirSync(folder)).toEqual(['shop'])
  }
})

const init = ['init', 'shop', '--no-install', '--no-git']

/** Runs `strata` and kills it after some milliseconds if it is still running. */
async function killed(cwd: string, args: readonly string[], afterMs: number): Promise<void> {
  const child = start(cwd, args)
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
  await ended(child)
  clearTimeout(timer)
}

async function duration(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}
