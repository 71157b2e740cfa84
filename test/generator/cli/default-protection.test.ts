import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFeature, done, project } from '../../support/generator/folders.ts'

const folder = mkdtempSync(join(tmpdir(), 'strata-cli-'))
const root = join(folder, 'club')

afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeAll(async () => {
  await done(folder, 'init', 'club', '--auth', '--no-install', '--no-git')
  await addFeature(root, 'Invoice amount:decimal(10,2)')
  await addFeature(root, 'Notice text:text --protect none')
  await addFeature(root, 'Secret text:text --protect all')
})

test('a new feature in a project with users protects its writes, in the model and in the routes', () => {
  expect(protectionOf('Invoice')).toBe('write')
  expect(handlerOf('invoice').match(/\.(?=post|put|delete)\w+\(requireCaller/g)).toHaveLength(3)
  expect(handlerOf('invoice')).not.toContain('.get(requireCaller')
  expect(handlerOf('notice')).not.toContain('requireCaller')
})

test('the output of strata feature names the default protection and how to change it', async () => {
  const line = 'POST, PUT and DELETE require a token: --protect none opens them to everybody'
  expect(await addFeature(root, 'Ticket seat:int')).toContain(line)
  expect(await addFeature(root, 'Poster title:string --protect none')).not.toContain(line)
})

test('--protect is kept as chosen, also by a later run without it', async () => {
  expect(protectionOf('Notice')).toBeUndefined()
  expect(protectionOf('Secret')).toBe('all')
  await addFeature(root, 'Notice text:text title:string:default=""')
  expect(protectionOf('Notice')).toBeUndefined()
  await addFeature(root, 'Invoice amount:decimal(10,2) paid:bool:default=false')
  expect(protectionOf('Invoice')).toBe('write')
})

test('a project without users has open features', async () => {
  const open = await project('Book title:string')
  expect(readFileSync(join(open, 'strata.json'), 'utf8')).not.toContain('protect')
})

function protectionOf(entity: string): string | undefined {
  return JSON.parse(readFileSync(join(root, 'strata.json'), 'utf8')).features[entity].protect
}

function handlerOf(name: string): string {
  return readFileSync(join(root, `src/handlers/${name}.handler.ts`), 'utf8')
}
