import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyPackage, labelOf, versionIn } from './package-files.ts'

let folder: string
let source: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-package-'))
  source = join(folder, 'from/node_modules/stratad')
  addPackage(source, 'stratad', { a: '1', b: '1' })
  mkdirSync(join(source, 'dist'))
  writeFileSync(join(source, 'dist/stratad.cjs'), 'first')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the label changes with the content of the programs, and names the version', () => {
  const first = labelOf(source)
  expect(first).toMatch(/^1\.2\.3-[0-9a-f]{8}$/)
  expect(versionIn(first)).toBe('1.2.3')
  writeFileSync(join(source, 'README.md'), 'other words')
  expect(labelOf(source)).toBe(first)
  writeFileSync(join(source, 'dist/stratad.cjs'), 'second')
  expect(labelOf(source)).not.toBe(first)
})

test('a package that is not strata, or not built, is refused', () => {
  addPackage(join(folder, 'other'), 'other', {})
  expect(() => labelOf(join(folder, 'other'))).toThrow('does not contain a built strata package')
  rmSync(join(source, 'dist/stratad.cjs'))
  expect(() => labelOf(source)).toThrow('does not contain a built strata package')
})

test('a copy has the needed packages alone, hoisted or nested, and two versions of one package', () => {
  const modules = join(folder, 'from/node_modules')
  addPackage(join(modules, 'a'), 'a', { shared: '1' })
  addPackage(join(modules, 'shared'), 'shared', {}, '1.0.0')
  addPackage(join(modules, 'development'), 'development', {})
  addPackage(join(source, 'node_modules/b'), 'b', { shared: '2' })
  addPackage(join(source, 'node_modules/shared'), 'shared', {}, '2.0.0')
  const target = join(folder, 'to')
  copyPackage(source, target)
  expect(resolved(target, 'a')).toBe('1.0.0')
  expect(resolved(target, 'b')).toBe('2.0.0')
  expect(existsSync(join(target, 'node_modules/development'))).toBe(false)
})

test('a missing package is named', () => {
  expect(() => copyPackage(source, join(folder, 'to'))).toThrow(
    'the package a, which stratad needs, is not installed',
  )
})

/** Returns the version of `shared` that a copied package finds. */
function resolved(target: string, name: string): string {
  const places = [`node_modules/${name}/node_modules/shared`, 'node_modules/shared']
  const found = places.map((place) => join(target, place, 'package.json')).find(existsSync) ?? ''
  return JSON.parse(readFileSync(found, 'utf8')).version
}

function addPackage(
  path: string,
  name: string,
  dependencies: Readonly<Record<string, string>>,
  version = '1.2.3',
): void {
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name, version, dependencies }))
}
