import { expect, test } from 'vitest'
import type { Environment } from '../../../../daemon/client/contract.ts'
import { changeLine, createChangeLines } from './change-lines.ts'

function environment(changes: Partial<Environment> = {}): Environment {
  const time = '2026-01-31T12:00:00.000Z'
  return {
    id: 7,
    project_id: 1,
    branch: { name: 'main', commit_sha: 'abcdef0123' },
    state: 'running',
    url: 'main--shop.localhost',
    created_at: time,
    updated_at: time,
    last_accessed_at: time,
    expires_at: null,
    host_port: 4000,
    public_port: 9080,
    container_name: null,
    node_id: 1,
    reason: null,
    processes: [],
    ...changes,
  }
}

const toLine = (each: Environment) => changeLine('shop', each)

test('only environments with a visible change get a line', () => {
  const lines = createChangeLines()
  const running = 'environment 7  shop  main  abcdef0  running  http://main--shop.localhost:9080'
  expect(lines([environment()], toLine)).toEqual([`2026-01-31T12:00:00.000Z  ${running}`])
  expect(lines([environment({ last_accessed_at: '2026-02-01T00:00:00.000Z' })], toLine)).toEqual([])
  expect(lines([environment({ state: 'paused' })], toLine)).toEqual([
    `2026-01-31T12:00:00.000Z  ${running.replace('running', 'paused')}`,
  ])
})

test('an environment that is no longer listed gets a line with the state destroyed', () => {
  const lines = createChangeLines()
  lines([environment()], toLine)
  expect(lines([], toLine)).toEqual([
    expect.stringMatching(/^\S+Z {2}environment 7 {2}shop {2}main {2}abcdef0 {2}destroyed$/),
  ])
  expect(lines([], toLine)).toEqual([])
})

test('control characters in a branch name or a reason never reach the terminal', () => {
  const hostile = { branch: { name: 'a\u001b]0;x\u0007b', commit_sha: 'abcdef0' } }
  const failed = { state: 'build_failed', public_port: null, reason: 'no\u001b[31m\nway' } as const
  expect(toLine(environment({ ...hostile, ...failed }))).toBe(
    'environment 7  shop  a ]0;x b  abcdef0  build_failed  no [31m way',
  )
})
