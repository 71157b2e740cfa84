import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import Module from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { project, temporaryFolder } from '../../support/generator/folders.ts'
import { copyPackage } from '../../support/generator/package-copy.ts'
import { ended, type Run } from '../../support/generator/strata.ts'
import { hashTree } from '../../support/tree.ts'

const feature = ['feature', 'Post', 'title:string', 'body:text']
const without = { NODE_DISABLE_COMPILE_CACHE: '1' }
const hasOwnCache = 'enableCompileCache' in Module

/** Copies the package. Its runs are in projects of their own, unless they get a folder. */
function newPackage() {
  const root = join(temporaryFolder(), 'package')
  const program = copyPackage(root)
  const caches = join(root, '.cache/code')
  const run = async (args = feature, env = {}, folder?: string): Promise<InProject> => {
    folder ??= await project()
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: '', NODE_V8_COVERAGE: '', ...env },
    })
    return { ...(await ended(child)), folder }
  }
  return { root, caches, run }
}

type InProject = Run & { folder: string }

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
}

function sizesOf(paths: readonly string[]): number[] {
  return paths.map((path) => statSync(path).size)
}

describe('the code cache', () => {
  test('changes no byte of what a command writes and prints', async () => {
    const { caches, run } = newPackage()
    const plain = await run(feature, without)
    expect(filesIn(caches)).toEqual([])
    const [first, second] = [await run(), await run()]
    expect(filesIn(caches).length).toBeGreaterThan(5)
    for (const { folder, code, stdout, stderr } of [first, second]) {
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: plain.stdout, stderr: '' })
      expect(hashTree(folder)).toBe(hashTree(plain.folder))
    }
  })

  test.each([
    ['truncated', (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ['empty', (path: string) => truncateSync(path)],
    ['garbage', (path: string) => writeFileSync(path, 'garbage'.repeat(1000))],
    ['damaged in one byte', damage],
  ])('is written again if it is %s', async (_, spoil) => {
    const { caches, run } = newPackage()
    const { stdout } = await run()
    const paths = filesIn(caches)
    const sizes = sizesOf(paths)
    for (const path of paths) spoil(path)
    expect(await run()).toMatchObject({ code: 0, stdout, stderr: '' })
    if (!hasOwnCache)
      expect(sizesOf(paths).every((size, at) => size > (sizes[at] ?? 0) / 2 + 1)).toBe(true)
    expect(await run()).toMatchObject({ code: 0, stdout, stderr: '' })
  })

  test('is not used for a chunk that changed, even to the same length', async () => {
    const { root, run } = newPackage()
    await run()
    const path = join(root, 'dist/cli-generate-feature.cjs')
    const text = readFileSync(path, 'utf8')
    const message = 'already has these fields'
    expect(text).toContain(message)
    writeFileSync(path, text.replace(message, message.toUpperCase()))
    const { folder } = await run()
    expect((await run(feature, {}, folder)).stdout).toContain(
      'already has these fields'.toUpperCase(),
    )
  })

  test('is not used for a chunk that imports, as those of an earlier build', async () => {
    const { root, run } = newPackage()
    const path = join(root, 'dist/scripts-oxfmt.cjs')
    const text = readFileSync(path, 'utf8')
    expect(text).not.toContain('await import(`')
    writeFileSync(path, `${text}\n;(async () => await import(\`node:fs\`))()\n`)
    for (let at = 0; at < 2; at += 1) expect(await run()).toMatchObject({ code: 0, stderr: '' })
  })

  test('is not needed: a command works where none can be written', async () => {
    const { root, run } = newPackage()
    writeFileSync(join(root, '.cache'), 'a file where the folder would be')
    expect(await run()).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(join(root, '.cache'), 'utf8')).toBe('a file where the folder would be')
  })

  test('is whole after concurrent runs', async () => {
    const { caches, run } = newPackage()
    const runs = await Promise.all([run(), run(), run()])
    for (const each of runs) expect(each).toMatchObject({ code: 0, stderr: '' })
    expect(filesIn(caches).filter((path) => path.endsWith('.draft'))).toEqual([])
    expect(await run()).toMatchObject({ code: 0, stdout: runs[0]?.stdout, stderr: '' })
  })

  test('is not written by a command that failed', async () => {
    const { caches, run } = newPackage()
    expect((await run(['feature', 'Post', 'title:nonsense'])).code).not.toBe(0)
    expect(filesIn(caches)).toEqual([])
  })

  test.skipIf(hasOwnCache)('stays for a few versions of Node alone', async () => {
    const { caches, run } = newPackage()
    for (const [at, name] of ['1', '2', '3', '4', '5'].entries()) {
      mkdirSync(join(caches, name, 'feature'), { recursive: true })
      utimesSync(join(caches, name), at, at)
    }
    await run()
    expect(readdirSync(caches)).toHaveLength(4)
    expect(readdirSync(caches)).toEqual(expect.arrayContaining(['3', '4', '5']))
  })
})

function damage(path: string): void {
  const bytes = readFileSync(path)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 0xff
  writeFileSync(path, bytes)
}
