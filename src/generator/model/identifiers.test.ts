import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { typeName, variableName } from './identifiers.ts'
import { entityNames } from './names.ts'
import { reservedTypes } from './reserved.ts'

describe('a type name', () => {
  test.each(
    `Map Object Response Request Router Json Date Error Promise Record Number Array Symbol Event
     File Function Prisma PrismaClient Express AppError Int Decimal Partial Constructor
     ToString`.split(/\s+/),
  )('appends Record to the reserved name %s', (pascal) => {
    expect(typeName(pascal)).toBe(`${pascal}Record`)
  })

  test.each(
    'Widget Type Http News Class New Default Delete Errors App Index Order User Key'.split(' '),
  )('keeps the free name %s', (pascal) => {
    expect(typeName(pascal)).toBe(pascal)
  })

  test('is never a global of this version of Node', () => {
    const globals = Object.getOwnPropertyNames(globalThis).filter((name) => /^[A-Z]\w*$/.test(name))
    expect(globals.length).toBeGreaterThan(50)
    const reached = globals.filter((name) => entityNames(name).pascal === name)
    expect(reached.filter((name) => typeName(name) === name)).toEqual([])
  })

  test('is reserved only if an entity can have this name', () => {
    const unreachable = [...reservedTypes].filter((name) => entityNames(name).pascal !== name)
    expect(unreachable).toEqual([])
  })
})

describe('the declared name of an entity or a field', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'strata-names-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  test("passes Biome's checks for shadowed globals and reserved words", () => {
    const inputs = [...reservedTypes, ...Object.getOwnPropertyNames(globalThis), ...words]
    const declarations = inputs
      .filter((input) => /^[A-Za-z][A-Za-z0-9]*$/.test(input))
      .map((input) => entityNames(input))
      .map(({ camel, type }, index) => {
        const variable = variableName(camel)
        return `export function declare${index}() { class ${type} {} const ${variable} = new ${type}(); return ${variable} }`
      })
    expect(declarations.length).toBeGreaterThan(300)
    writeFileSync(join(folder, 'names.ts'), `${declarations.join('\n')}\n`)
    const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
    const rule = '--only=suspicious/noShadowRestrictedNames'
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [biome, 'lint', rule, '--max-diagnostics=20', 'names.ts'],
      { cwd: folder, encoding: 'utf8' },
    )
    expect({ status, output: stdout + stderr }).toMatchObject({ status: 0 })
  })
})

const words = `Class Function New Default Delete Escape ValueOf HasOwnProperty IsFinite IsNaN Eval
  Arguments Undefined Yield Await Static Package This Super`.split(/\s+/)
