import runtime from 'handlebars/runtime.js'
import { precompiled } from './precompiled.js'

// The package's types say nothing of what its runtime exports.
const { template } = runtime as unknown as Pick<typeof import('handlebars'), 'template'>

/** The paths of the templates in a folder under `templates/`, relative to it. */
export function templatesIn(folder: string): readonly string[] {
  const prefix = `${folder}/`
  return Object.keys(precompiled)
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(prefix.length))
}

/** The text of one template, by its path under `templates/`. Throws where the view lacks what it names. */
export function renderTemplate(path: string, view: object): string {
  const specification = precompiled[path]
  if (!specification) throw new Error(`there is no template ${path}`)
  return template(specification)(view)
}
