import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createFeature } from '../model/build.ts'
import type { Feature } from '../model/model.ts'
import { entityNames } from '../model/names.ts'
import { parseFieldArgs } from '../spec/field-list.ts'
import { type WireResult, wireFeature } from './wire.ts'
import { parseFile } from './wire-file.ts'

const folder = new URL('./fixtures/', import.meta.url)
const cases = readdirSync(folder).sort()
const feature = createFeature({
  entity: entityNames('Tag'),
  ...parseFieldArgs(['name:string:unique', 'note:text']),
})

/** The wiring file, by the first word of the case's name. */
const paths: Readonly<Record<string, string>> = {
  container: 'src/container.ts',
  routes: 'src/routes.ts',
  client: 'client/index.ts',
  memory: 'test/support/memory.ts',
}

describe.each(cases)('the edited file %s', (name) => {
  const input = readFileSync(new URL(`${name}/input.ts`, folder), 'utf8')
  const wire = (text: string) =>
    wireFeature({ path: pathOf(name), text, feature: featureOf(name), adapter: 'prisma' })

  test('gets the expected edits or lists the expected lines to add', () => {
    expect(wire(input)).toEqual(expected(name, input))
  })

  test('is wired in the same way with CRLF and a byte order mark', () => {
    const mark = '\uFEFF'
    expect(wire(mark + windows(input))).toEqual(
      withText(expected(name, input), (text) => mark + windows(text)),
    )
  })

  test('is not wired twice', () => {
    const first = wire(input)
    if (first.kind !== 'edited') return
    expect(() => parseFile(first.text)).not.toThrow()
    expect(wire(first.text)).toEqual({ kind: 'unchanged' })
  })
})

/** Returns the feature to add: protected in a project with users. */
function featureOf(name: string): Feature {
  return name.endsWith('-auth') ? { ...feature, protect: 'write' } : feature
}

function pathOf(name: string): string {
  return paths[name.split('-')[0] ?? ''] ?? ''
}

function expected(name: string, input: string): WireResult {
  const notFound = new URL(`${name}/not-found.txt`, folder)
  if (existsSync(notFound)) {
    const [missing = '', ...lines] = readFileSync(notFound, 'utf8').trimEnd().split('\n')
    return { kind: 'not-found', missing, lines }
  }
  const text = readFileSync(new URL(`${name}/output.ts`, folder), 'utf8')
  return text === input ? { kind: 'unchanged' } : { kind: 'edited', text }
}

function withText(result: WireResult, change: (text: string) => string): WireResult {
  return result.kind === 'edited' ? { ...result, text: change(result.text) } : result
}

function windows(text: string): string {
  return text.replaceAll('\n', '\r\n')
}
