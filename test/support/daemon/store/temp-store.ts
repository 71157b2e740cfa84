import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import type { Database } from '../../../../daemon/ports.ts'
import { createStore } from '../../../../daemon/store/store.ts'
import { nodeDraft, projectDraft } from './record-drafts.ts'

const cleanups: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})

/** Creates a folder that is removed after the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'strata-store-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Opens a store in a new folder, or on `file`. */
export async function tempStore(file = join(tempFolder(), 'database.sqlite')): Promise<Database> {
  const store = await createStore({ file, now: () => 1_000 })
  let isOpen = true
  const close = async () => {
    if (isOpen) await store.close()
    isOpen = false
  }
  cleanups.push(close)
  return { ...store, close }
}

/** Opens a store with node 1 and project 1. */
export async function filledStore(file?: string): Promise<Database> {
  const store = await tempStore(file)
  await store.nodes.put(nodeDraft())
  await store.projects.create(projectDraft())
  return store
}
