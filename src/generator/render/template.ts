import runtime from 'handlebars/runtime.js'
import { precompiled } from './precompiled.js'

// The package has no types for its runtime entry point.
const handlebars = runtime as unknown as Pick<typeof import('handlebars'), 'template'> & {
  partials: object
}

/** Returns the paths of the templates in `templates/<folder>/`, relative to that folder. */
export function templatesIn(folder: string): readonly string[] {
  const prefix = `${folder}/`
  return Object.keys(precompiled)
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(prefix.length))
}

/** Functions by path. A run renders the template of a feature for many features. */
const delegates = new Map<string, HandlebarsTemplateDelegate>()

/**
 * Partials by name: `{{> prisma/list}}` includes `templates/partials/prisma/list.hbs`. Getters, because a store uses few of
 * the partials of all stores. Handlebars copies partials that it gets with a view, for each view.
 */
handlebars.partials = Object.defineProperties(
  {},
  Object.fromEntries(
    templatesIn('partials').map((name) => [
      name,
      { enumerable: true, get: () => compiled(`partials/${name}`) },
    ]),
  ),
)

/** Renders the template at a path under `templates/`. Throws if the view lacks a name that the template uses. */
export function renderTemplate(path: string, view: object): string {
  return compiled(path)(view)
}

function compiled(path: string): HandlebarsTemplateDelegate {
  const specification = precompiled[path]
  if (!specification) throw new Error(`no template ${path}`)
  const delegate = delegates.get(path) ?? handlebars.template(specification)
  delegates.set(path, delegate)
  return delegate
}
