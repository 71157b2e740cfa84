import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Model } from '../../../../src/generator/model/model.ts'
import { renderFeature, renderProject } from '../../../../src/generator/render/render.ts'
import { printModel } from '../../../../src/generator/spec/project-file.ts'
import { storeOf } from '../../../../src/generator/stores/stores.ts'

/** Writes the project of a model into a new folder, with a link to the packages of this repository. */
export async function writeProject(model: Model): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'strata-emitted-'))
  for (const [path, text] of await filesOf(model)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  symlinkSync(packages, join(root, 'node_modules'))
  return root
}

export function removeProject(root: string): void {
  rmSync(root, { recursive: true, force: true })
}

export const packages = fileURLToPath(new URL('../../../../node_modules', import.meta.url))

/** Renders all files. Throws if two features, or a feature and the project, would write the same file. */
async function filesOf(model: Model): Promise<Map<string, string>> {
  const files = new Map([...(await renderProject(model)), ['strata.json', printModel(model)]])
  const add = (path: string, text: string) => {
    if (files.has(path)) throw new Error(`${path} is emitted twice`)
    files.set(path, text)
  }
  for (const feature of model.features) {
    for (const [path, text] of await renderFeature(model, feature)) add(path, text)
  }
  const empty = { ...model, features: [] }
  const project = { listFolders: () => [], readFile: () => undefined }
  const migration = await storeOf(model.database).migration(empty, model, project)
  if (migration) add(migration.path, migration.text)
  return files
}
