import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { sampleProject } from './sample.ts'

/** Creates a folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'strata-write-'))
  folders.push(folder)
  return folder
}

/** Creates the sample project in a folder that is removed after the test. */
export function temporaryProject(): string {
  return sampleProject(temporaryFolder())
}

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
