import type { Feature, Model } from '../model/model.ts'
import { storeOf } from '../stores/stores.ts'
import { featureView } from './feature-view.ts'
import { format, lineWidth } from './format.ts'
import { combineLayers, type Layer, type LayerFile } from './layers.ts'
import { needsSetup, type ProjectView, projectView } from './project-view.ts'
import { sortImports } from './sort-imports.ts'
import { renderTemplate } from './template.ts'

/** Texts by path in the project; paths use `/`. */
export type Files = ReadonlyMap<string, string>

/** Files that name every feature: every change of the model changes them. */
export const wiringFiles = [
  'src/container.ts',
  'src/routes.ts',
  'client/index.ts',
  'test/support/memory.ts',
] as const

/** Files whose content depends on the fields of all features: a function is emitted if a feature uses it. */
const sharedFiles = [
  'client/resource.ts',
  'src/domain/value-range.ts',
  'src/http/filters.ts',
  'src/http/paging.ts',
] as const

/**
 * Renders all files of a project except those of single features. Templates of a project without features are
 * already formatted, which avoids loading the formatter unless a long project name makes a line too wide.
 */
export async function renderProject(model: Model): Promise<Files> {
  const view = projectView(model)
  const templates = projectTemplates(model, view)
  const layOut = model.features.length === 0 ? formatWide : format
  return renderAll(templates, view.store.files(model), { layOut })
}

/** Renders the wiring files and the files that the store computes from the whole model. */
export async function renderWiring(model: Model): Promise<Files> {
  const view = projectView(model)
  const isWiring = ({ path }: Template) => wiringFiles.some((wiring) => wiring === path)
  return renderAll(projectTemplates(model, view).filter(isWiring), view.store.files(model))
}

/** Renders the files with the functions that features share. */
export async function renderShared(model: Model): Promise<Files> {
  const view = projectView(model)
  const isShared = ({ path }: Template) => sharedFiles.some((shared) => shared === path)
  return renderAll(projectTemplates(model, view).filter(isShared), {})
}

/** Renders the files of one feature. */
export async function renderFeature(model: Model, feature: Feature): Promise<Files> {
  const view = featureView(model, feature)
  const folders = ['feature', ...storeOf(model.database).templates.feature]
  return renderAll(
    combineLayers(layersOf(folders)).map((file) => ({ ...file, view })),
    {},
    { nameOf: (path) => path.replaceAll('[entity]', view.kebab) },
  )
}

interface Template extends LayerFile {
  readonly view: object
}

/** Files of apps with users. */
const authLayer: Layer = {
  folder: 'auth',
  replaces: [
    'client/http.ts',
    'client/index.ts',
    'src/container.ts',
    'src/routes.ts',
    'test/support/app.ts',
    'test/support/memory.ts',
  ],
}

function projectTemplates(model: Model, view: ProjectView): readonly Template[] {
  const { auth } = model
  const { templates } = view.store
  const layers = [
    { folder: 'project' },
    ...(needsSetup(model) ? [{ folder: 'setup' }] : []),
    ...(auth ? [authLayer] : []),
    ...layersOf(templates.project),
    ...(auth ? layersOf(templates.auth) : []),
  ]
  return combineLayers(layers).map((file) => ({ ...file, view }))
}

function layersOf(folders: readonly string[]): readonly Layer[] {
  return folders.map((folder) => ({ folder }))
}

interface Options {
  readonly nameOf?: (path: string) => string
  readonly layOut?: (path: string, text: string) => Promise<string>
}

async function renderAll(
  templates: readonly Template[],
  computed: Readonly<Record<string, string>>,
  { nameOf = (path) => path, layOut = format }: Options = {},
): Promise<Files> {
  const files = new Map<string, string>()
  for (const [path, text] of Object.entries(computed)) files.set(path, await layOut(path, text))
  for (const { folder, path, view } of templates) {
    const text = renderTemplate(`${folder}/${path}`, view)
    if (text.trim() === '') continue
    files.set(nameOf(path), await layOut(path, isScript(path) ? sortImports(text) : text))
  }
  return files
}

function isScript(path: string): boolean {
  return path.endsWith('.ts')
}

async function formatWide(path: string, text: string): Promise<string> {
  return text.split('\n').some((line) => line.length > lineWidth) ? format(path, text) : text
}
