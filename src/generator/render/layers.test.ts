import { expect, test } from 'vitest'
import { combineLayers } from './layers.ts'

const folders: Readonly<Record<string, readonly string[]>> = {
  project: ['src/app.ts', 'src/config.ts'],
  auth: ['src/config.ts', 'src/users.ts'],
}

const combine = (...replaces: readonly string[]) =>
  combineLayers(
    [{ folder: 'project' }, { folder: 'auth', replaces }],
    (name) => folders[name] ?? [],
  )

test('a layer emits its own version of a file that it declares to replace', () => {
  expect(combine('src/config.ts')).toEqual([
    { folder: 'project', path: 'src/app.ts' },
    { folder: 'auth', path: 'src/config.ts' },
    { folder: 'auth', path: 'src/users.ts' },
  ])
})

test('two layers with one file are refused unless the later one declares the replacement', () => {
  expect(() => combine()).toThrow(
    'templates/auth and templates/project both have src/config.ts: list it in `replaces` if that is meant',
  )
})

test('a declared replacement is refused if no earlier layer has the file', () => {
  expect(() => combine('src/config.ts', 'src/users.ts')).toThrow(
    'templates/auth is to replace src/users.ts, but no earlier layer has such a file',
  )
})

test('a declared replacement is refused if the layer itself lacks the file', () => {
  expect(() => combine('src/config.ts', 'src/app.ts')).toThrow(
    'templates/auth is to replace src/app.ts, but has no such file',
  )
})
