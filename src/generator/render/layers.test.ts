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

test('combineLayers takes a replaced file from the later layer', () => {
  expect(combine('src/config.ts')).toEqual([
    { folder: 'project', path: 'src/app.ts' },
    { folder: 'auth', path: 'src/config.ts' },
    { folder: 'auth', path: 'src/users.ts' },
  ])
})

test('combineLayers rejects an undeclared replacement', () => {
  expect(() => combine()).toThrow(
    'templates/auth and templates/project both have src/config.ts: list it in `replaces` if that is meant',
  )
})

test('combineLayers rejects a replacement of a file that no earlier layer has', () => {
  expect(() => combine('src/config.ts', 'src/users.ts')).toThrow(
    'templates/auth declares to replace src/users.ts, but no earlier layer has such a file',
  )
})

test('combineLayers rejects a replacement by a file that the layer lacks', () => {
  expect(() => combine('src/config.ts', 'src/app.ts')).toThrow(
    'templates/auth declares to replace src/app.ts, but has no such file itself',
  )
})
