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

/** The templates that others include: `{{> prisma/list}}` is `templates/partials/prisma/list.hbs`. */
const partials = Object.fromEntries(
  templatesIn('partials').map((name) => [name, compiled(`partials/${name}`)]),
)

/** Returns the text of one template, by its path under `templates/`. Throws if the view lacks a name it uses. */
export function renderTemplate(path: string, view: object): string {
  return compiled(path)(view, { partials })
}

function compiled(path: string): HandlebarsTemplateDelegate {
  const specification = precompiled[path]
  if (!specification) throw new Error(`there is no template ${path}`)
  return template(specification)
}
