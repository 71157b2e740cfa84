import runtime from 'handlebars/runtime.js'
import { precompiled } from './precompiled.js'

// The package has no types for its runtime entry point.
const { template } = runtime as unknown as Pick<typeof import('handlebars'), 'template'>

/** Returns the paths of the templates in `templates/<folder>/`, relative to that folder. */
export function templatesIn(folder: string): readonly string[] {
  const prefix = `${folder}/`
  return Object.keys(precompiled)
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(prefix.length))
}

/** Partials by name: `{{> prisma/list}}` includes `templates/partials/prisma/list.hbs`. */
const partials = Object.fromEntries(
  templatesIn('partials').map((name) => [name, compiled(`partials/${name}`)]),
)

/** Renders the template at a path under `templates/`. Throws if the view lacks a name that the template uses. */
export function renderTemplate(path: string, view: object): string {
  return compiled(path)(view, { partials })
}

function compiled(path: string): HandlebarsTemplateDelegate {
  const specification = precompiled[path]
  if (!specification) throw new Error(`no template ${path}`)
  return template(specification)
}
