import { templatesIn } from './template.ts'

/** A folder under `templates/`. A project consists of several layers. */
export interface Layer {
  readonly folder: string
  /** The files that this layer emits instead of an earlier layer. */
  readonly replaces?: readonly string[]
}

/** A template: its layer's folder, and its path in that folder, which is also its path in the project. */
export interface LayerFile {
  readonly folder: string
  readonly path: string
}

/**
 * Returns every file of the layers once. Throws if a layer has a file of an earlier layer without listing the
 * file in `replaces`, and if `replaces` lists a file that the layer or all earlier layers lack.
 */
export function combineLayers(
  layers: readonly Layer[],
  filesIn: (folder: string) => readonly string[] = templatesIn,
): readonly LayerFile[] {
  const files = new Map<string, LayerFile>()
  for (const { folder, replaces = [] } of layers) {
    const own = filesIn(folder)
    for (const path of replaces) {
      if (files.has(path) && own.includes(path)) continue
      const reason = files.has(path)
        ? 'has no such file itself'
        : 'no earlier layer has such a file'
      throw new Error(`templates/${folder} declares to replace ${path}, but ${reason}`)
    }
    for (const path of own) {
      const replaced = files.get(path)
      if (replaced && !replaces.includes(path))
        throw new Error(
          `templates/${folder} and templates/${replaced.folder} both have ${path}: list it in \`replaces\` if that is meant`,
        )
      files.set(path, { folder, path })
    }
  }
  return [...files.values()]
}
