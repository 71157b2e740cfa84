import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/daemon/build/app.ts'
import { relocated, relocateVenv } from './venv.ts'

const folder = '/made/venv/bin'

test.each([
  ['#!/made/venv/bin/python\nprint(1)\n', 'python'],
  ['#!/made/venv/bin/python3.11\nprint(1)\n', 'python3.11'],
  [`#!/bin/sh\n'''exec' "/made/venv/bin/python3" "$0" "$@"\n' '''\nprint(1)\n`, 'python3'],
  [`#!/bin/sh\n'''exec' /made/venv/bin/python3 "$0" "$@"\n' '''\nprint(1)\n`, 'python3'],
])('a script of pip %j finds its interpreter beside itself', (text, program) => {
  const found = relocated(text, folder)
  expect(found).toContain(`/'${program}' "$0" "$@"\n' '''\nprint(1)\n`)
  expect(found).not.toContain('/made')
})

test.each(['#!/usr/bin/python3\n', '#!/bin/sh\necho\n', 'text', '#!/made/venv/bin/../python\n'])(
  'the file %j is unchanged',
  (text) => {
    expect(relocated(text, folder)).toBeUndefined()
  },
)

test('a program of a relocated environment runs from another folder, also through a symlink', async () => {
  const root = temporaryFolder()
  const made = join(root, 'made here')
  mkdirSync(join(made, 'bin'), { recursive: true })
  // Stands for Python: it prints the path of the script.
  writeFileSync(join(made, 'bin/python'), '#!/bin/sh\nprintf "%s %s" "$(basename "$1")" "$2"', {
    mode: 0o755,
  })
  const shebang = `#!${made}/bin/python\n`
  writeFileSync(join(made, 'bin/tool'), `${shebang}import sys\n`, { mode: 0o755 })
  await relocateVenv(made)
  renameSync(made, join(root, 'moved'))
  expect(execFileSync(join(root, 'moved/bin/tool'), ['x'], { encoding: 'utf8' })).toBe('tool x')
})
