import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** Statement of the migration that newer packages of the tests add. */
const migration = 'CREATE TABLE of_the_next_version (id INTEGER PRIMARY KEY) STRICT'

/**
 * Creates the built package of a later version, with one more migration of the daemon's database. With `dies`, its
 * daemon ends after the migration.
 */
export function laterPackage(folder: string, version: string, { dies = false } = {}): string {
  mkdirSync(folder, { recursive: true })
  for (const name of ['bin', 'dist', 'docs', 'package.json']) {
    cpSync(join(repository, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
  const { version: current } = readManifest(folder)
  const manifest = { ...readManifest(folder), version, scripts: {}, devDependencies: {} }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  change(folder, 'dist/stratad-main.cjs', (text) => {
    const renamed = text.replaceAll(JSON.stringify(current), JSON.stringify(version))
    const migrated = renamed.replace(
      /function migrate\(connection, at, ([\w$]+) = ([\w$]+)\) \{/,
      (line, given: string, all: string) =>
        `${line}\n  if (${given} === ${all}) ${given} = [...${all}, { version: ${all}.length + 1, name: 'next', sql: '${migration}' }];`,
    )
    if (migrated === renamed) throw new Error('dist/stratad-main.cjs has no function migrate')
    return dies ? migrated.replace(/await container\.start\(\);/, 'process.exit(7);') : migrated
  })
  return folder
}

function readManifest(folder: string) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function change(folder: string, path: string, edit: (text: string) => string): void {
  const place = join(folder, path)
  writeFileSync(place, edit(readFileSync(place, 'utf8')))
}
