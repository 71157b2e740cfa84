import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { sampleProject } from './sample.ts'

/** A fresh folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'strata-write-'))
  folders.push(folder)
  return folder
}

/** The sample project in a fresh folder that is removed after the test. */
export function temporaryProject(): string {
  return sampleProject(temporaryFolder())
}

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
