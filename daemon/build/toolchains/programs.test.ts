import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/daemon/build/app.ts'
import { requirePrograms } from './programs.ts'

function folderWith(name: string): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, name), '#!/bin/sh\n', { mode: 0o755 })
  return folder
}

test('a missing program is named with the command that installs it', () => {
  const path = folderWith('other')
  expect(() => requirePrograms(['python3'], { path, isOtherUser: false })).toThrow(
    'the host has no python3: install it (apt-get install python3 python3-venv), or run the daemon with SERVICE_RUNTIME=docker',
  )
})

test('a program on PATH is enough without walls', () => {
  const path = `/absent:${folderWith('go')}`
  expect(() => requirePrograms(['go'], { path, isOtherUser: false })).not.toThrow()
})

test('a file that is not executable is no program', () => {
  const path = folderWith('go')
  chmodSync(join(path, 'go'), 0o644)
  expect(() => requirePrograms(['go'], { path, isOtherUser: false })).toThrow(/has no go/)
})

test('a program in a temporary folder or below a closed folder is out of reach for the user of a project', () => {
  const path = folderWith('go')
  expect(() => requirePrograms(['go'], { path, isOtherUser: true })).toThrow(/can't reach .*\/go:/)
  const closed = mkdtempSync(join(process.cwd(), '.cache/closed-'))
  onTestFinished(() => rmSync(closed, { recursive: true }))
  mkdirSync(join(closed, 'bin'))
  writeFileSync(join(closed, 'bin/go'), '', { mode: 0o755 })
  const options = { path: join(closed, 'bin'), isOtherUser: true }
  expect(() => requirePrograms(['go'], options)).toThrow(/can't reach/)
})

test('a program of the system is in reach for everybody', () => {
  expect(() => requirePrograms(['sh'], { path: '/usr/bin:/bin', isOtherUser: true })).not.toThrow()
})
