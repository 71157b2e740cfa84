import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hashTree, treeFiles } from '../../support/tree.ts'
import { addFeature, done, project, sharedProject } from './folders.ts'
import { ended, start, strata } from './strata.ts'

const book = ['feature', 'Book', 'title:string']
const author = ['feature', 'Author', 'name:string']

test('two runs at once both end up in the project', async () => {
  const expected = [
    hashTree(await sharedProject('Book title:string', 'Author name:string')),
    hashTree(await sharedProject('Author name:string', 'Book title:string')),
  ]
  for (let round = 0; round < 3; round++) {
    const root = await project()
    const runs = await Promise.all([strata(root, book), strata(root, author)])
    for (const [i, { code, stderr }] of runs.entries()) {
      if (code === 0) continue
      // What it may do instead is to give way, with a sentence.
      expect([code, stderr]).toEqual([3, expect.stringMatching(/^error: another strata run/)])
      await done(root, ...(i === 0 ? book : author))
    }
    expect(expected).toContain(hashTree(root))
  }
})

test('a run that is killed anywhere leaves the old project or the new one to the next', async () => {
  const before = treeFiles(await sharedProject())
  const after = treeFiles(await sharedProject('Book title:string'))
  const usualMs = await duration(async () => addFeature(await project(), 'Book title:string'))
  const found = new Set<string>()
  for (let share = 0.2; share < 1.1; share += 0.1) {
    const root = await project()
    const child = start(root, book)
    const run = ended(child)
    setTimeout(() => child.kill('SIGKILL'), usualMs * share)
    await run

    // The next run, whatever it is for, first brings the project to one of the two.
    await addFeature(root, 'Author name:string')
    const isThere = existsSync(join(root, 'src/domain/book.ts'))
    found.add(isThere ? 'new' : 'old')
    const expected = isThere
      ? await sharedProject('Book title:string', 'Author name:string')
      : await sharedProject('Author name:string')
    expect(treeFiles(root)).toEqual(treeFiles(expected))
    expect(readdirSync(join(root, '.strata'))).toEqual(['base'])
  }
  expect([...found].every((kind) => kind === 'old' || kind === 'new')).toBe(true)
  expect(before.size).toBeLessThan(after.size)
})

test('an init that is killed leaves no project or the whole one', async () => {
  const whole = hashTree(await sharedProject())
  const usualMs = await duration(() => sharedProject('Kept name:string'))
  for (const share of [0.2, 0.35, 0.5, 0.65]) {
    const root = await project()
    const folder = join(root, 'src')
    const child = start(folder, init)
    const run = ended(child)
    setTimeout(() => child.kill('SIGKILL'), usualMs * share)
    await run
    if (existsSync(join(folder, 'shop'))) expect(hashTree(join(folder, 'shop'))).toBe(whole)
    else await done(folder, ...init)
    expect(hashTree(join(folder, 'shop'))).toBe(whole)
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
  }
})

const init = ['init', 'shop', '--no-install', '--no-git']

async function duration(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
