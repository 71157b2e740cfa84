import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ClientError } from '../errors/client-error.ts'
import {
  contextsPath,
  isContextName,
  readContexts,
  withContext,
  writeContexts,
} from './contexts.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-contexts-'))
  path = contextsPath({ XDG_CONFIG_HOME: folder })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('contexts are read back as written, from a file with mode 0600', () => {
  const first = withContext(readContexts(path), 'local', { url: 'http://127.0.0.1:9000' })
  writeContexts(first, path)
  writeContexts(withContext(first, 'far', { url: 'https://example.com', token: 't' }), path)
  expect(readContexts(path)).toEqual({
    current: 'far',
    contexts: {
      local: { url: 'http://127.0.0.1:9000' },
      far: { url: 'https://example.com', token: 't' },
    },
  })
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
  expect(readdirSync(dirname(path))).toEqual(['contexts.json'])
})

test('rewriting a world-readable contexts file restricts it to mode 0600', () => {
  writeContexts({ current: undefined, contexts: {} }, path)
  rmSync(path)
  writeFileSync(path, '{"contexts":{}}', { mode: 0o644 })
  writeContexts(readContexts(path), path)
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test.each(['', '{', '[]', '{"contexts":{"a":{}}}', '{"contexts":{"a":{"url":"no"}}}'])(
  'an invalid contexts file %j is reported and left unchanged',
  (text) => {
    writeContexts({ current: undefined, contexts: {} }, path)
    writeFileSync(path, text)
    expect(() => readContexts(path)).toThrow(ClientError)
    expect(readFileSync(path, 'utf8')).toBe(text)
  },
)

test('a context name consists of letters, digits, dots, _ and -', () => {
  expect(['local', 'a.b_c-1'].every(isContextName)).toBe(true)
  expect(['', '-a', 'a b', 'a/b', '__proto__'].some(isContextName)).toBe(false)
})
