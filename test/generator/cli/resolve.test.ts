import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project, temporaryFolder } from '../../support/generator/folders.ts'
import { refused } from '../../support/generator/refusal.ts'
import { ended, program } from '../../support/generator/strata.ts'
import { hashTree } from '../../support/tree.ts'

const path = 'src/domain/book.ts'
const change = ['feature', 'Book', 'title:string:optional']

/** `script` of util-linux gives a program a terminal. */
const hasTerminal = spawnSync('script', ['--version']).status === 0

async function conflictingProject(): Promise<string> {
  const root = await project('Book title:string')
  const text = readFileSync(join(root, path), 'utf8')
  writeFileSync(join(root, path), text.replace('title: string', 'title: string | Buffer'))
  return root
}

/** Runs `strata resolve` on a terminal, and types the line when it asks. */
async function resolveWith(root: string, line: string, editor = 'false') {
  const command = [process.execPath, program, 'resolve', ...change].join(' ')
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: root,
    env: { ...process.env, EDITOR: editor, VISUAL: '' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let asked = ''
  child.stdout.on('data', (text: Buffer) => {
    asked += text.toString()
    if (!asked.includes('[l]ater? ')) return
    asked = ''
    child.stdin.write(line)
  })
  return ended(child)
}

test.skipIf(!hasTerminal).each([
  ['t\n', ['title: string | null']],
  ['b\n', ['title: string | Buffer', 'title: string | null']],
])('on a terminal, the answer %j is written', async (line, expected) => {
  const root = await conflictingProject()
  const { code, stdout } = await resolveWith(root, line)
  expect(code, stdout).toBe(0)
  expect(stdout).toContain('src/domain/book.ts (1 of 1)')
  const titles = readFileSync(join(root, path), 'utf8').match(/title: .*/g)
  expect(titles).toEqual(expected)
  expect(readFileSync(join(root, 'strata.json'), 'utf8')).toContain('title:string:optional')
})

test.skipIf(!hasTerminal)('an editor without a shell decides a place', async () => {
  const root = await conflictingProject()
  const editor = join(temporaryFolder(), 'my-editor')
  writeFileSync(editor, '#!/bin/sh\necho "  title: string | undefined" > "$1"\n')
  chmodSync(editor, 0o755)
  expect((await resolveWith(root, 'e\n', editor)).code).toBe(0)
  expect(readFileSync(join(root, path), 'utf8')).toContain('title: string | undefined')
})

test.skipIf(!hasTerminal).each([
  ['l\n', 3],
  ['\u0003', 130],
  ['e\n', 1],
])('the answer %j leaves the project as it is', async (line, exit) => {
  const root = await conflictingProject()
  const before = hashTree(root)
  const { code, stdout } = await resolveWith(root, line)
  expect(code, stdout).toBe(exit)
  expect(hashTree(root, { ignore: ['lock'] })).toBe(before)
})

test('without a terminal, strata resolve lists the conflicts like the command itself', async () => {
  const root = await conflictingProject()
  expect(await refused(root, ['resolve', ...change], 3)).toEqual(await refused(root, change, 3))
})

test('strata resolve runs a rename', async () => {
  const root = await project('Book title:string')
  writeFileSync(join(root, 'src/domain/volume.ts'), '')
  const rename = ['rename', 'Book', 'Volume']
  const said = await refused(root, ['resolve', ...rename], 3)
  expect(said).toEqual(await refused(root, rename, 3))
  expect(said[0]).toContain('src/domain/volume.ts exists')
})

test('strata resolve refuses a command that has no conflicts', async () => {
  const root = await conflictingProject()
  expect((await refused(root, ['resolve', 'check'], 2))[0]).toContain(
    'strata resolve runs a command that stopped at conflicts, not "check"',
  )
})
