import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createReferenceApp } from './reference-app.ts'
import { readSettings, runReference } from './reference-process.ts'
import type { ProcessMutantName } from './reference-process-mutants.ts'
import { createReferenceStore, type Row } from './reference-store.ts'

/** Runs the reference as a process that stores its rows in a file. */

const is = (name: ProcessMutantName): boolean => process.argv[2] === name
let isStopping = (): boolean => false

const settings = readSettings(is)
const leak = is('failure-tells') ? 'stack-leaked' : undefined
const app = createReferenceApp(openStore(settings.file), leak)
isStopping = runReference(app, settings, is).isStopping

function openStore(path: string | undefined) {
  const isKept = path !== undefined && existsSync(path) && !is('forgets')
  // Only this program writes the file.
  const rows: Row[] = isKept ? JSON.parse(readFileSync(path, 'utf8')) : []
  const started = is('ids-restart')
    ? rows.map((row) => ({ ...row, id: row.id - rows.length }))
    : rows
  const store = createReferenceStore(undefined, started, (all) => {
    if (path === undefined || (is('last-write-lost') && isStopping())) return
    const save = (): void => writeFileSync(path, JSON.stringify(all))
    if (is('saves-late')) setTimeout(save, 3000)
    else save()
  })
  const assertThere = (): void => {
    const isBroken = path !== undefined && existsSync(path) && statSync(path).isDirectory()
    if (isBroken && is('failure-crashes')) process.exit(3)
    if (isBroken) throw new Error(`${path} is no file`)
  }
  return {
    ...store,
    sorted: () => {
      assertThere()
      return store.sorted()
    },
    find: (id: number) => {
      assertThere()
      return store.find(id)
    },
  }
}
