import type { Feature, Model } from '../model/model.ts'
import { storeOf } from '../stores/stores.ts'
import { featureView } from './feature-view.ts'
import { format, lineWidth } from './format.ts'
import { combineLayers, type Layer, type LayerFile } from './layers.ts'
import { needsSetup, type ProjectView, projectView } from './project-view.ts'
import { sortImports } from './sort-imports.ts'
import { renderTemplate } from './template.ts'
import { withoutUnused } from './unused-code.ts'

/** Texts by path in the project; paths use `/`. */
export type Files = ReadonlyMap<string, string>

/** Files that name every feature: every change of the model changes them. */
export const wiringFiles = [
  'src/container.ts',
  'src/routes.ts',
  'client/index.ts',
  'test/support/memory.ts',
] as const

/**
 * Renders all files of a project except those of single features. Templates of a project without features are
 * already formatted, which avoids loading the formatter unless a long project name makes a line too wide.
 */
export async function renderProject(model: Model): Promise<Files> {
  const layOut = model.features.length === 0 ? formatWide : format
  return laidOut(projectTexts(model), layOut)
}

/** Renders the wiring files and the files that the store computes from the whole model. */
export async function renderWiring(model: Model): Promise<Files> {
  const view = projectView(model)
  const isWiring = ({ path }: Template) => wiringFiles.some((wiring) => wiring === path)
  const templates = projectTemplates(model, view).filter(isWiring)
  return laidOut(new Map([...computedTexts(view, model), ...textsOf(templates)]))
}

/** Scripts that npm starts; no other file imports them. */
const entries = ['src/main.ts', 'src/admin.ts']

/** Names every feature. A merge of lines is right, because each feature has lines of its own. */
const seedFile = 'scripts/seed.ts'

/**
 * Renders the scripts that features share. Their content depends on all features: a function is emitted if another
 * file uses it. Returns unformatted texts, which serve to find changes; `formatShared` formats them.
 */
export function sharedTexts(model: Model): Files {
  // The wiring contains the computed files.
  const computed = computedTexts(projectView(model), model)
  const isChanging = (path: string) => (isShared(path) || path === seedFile) && !computed.has(path)
  return new Map([...projectTexts(model)].filter(([path]) => isChanging(path)))
}

export function formatShared(files: Files): Promise<Files> {
  return laidOut(files)
}

/** Renders the project's files that need no formatter: `package.json`, `README.md` and others that are no scripts. */
export function plainTexts(model: Model): Files {
  const isPlain = ({ path }: Template) => !/\.(ts|mjs)$/.test(path)
  return textsOf(projectTemplates(model, projectView(model)).filter(isPlain))
}

/** Renders the files of one feature. */
export async function renderFeature(model: Model, feature: Feature): Promise<Files> {
  return laidOut(featureTexts(model, feature))
}

function featureTexts(model: Model, feature: Feature): Files {
  const view = featureView(model, feature)
  const folders = ['feature', ...storeOf(model).templates.feature]
  const templates = combineLayers(layersOf(folders)).map((file) => ({ ...file, view }))
  return textsOf(templates, (path) => path.replaceAll('[entity]', view.kebab))
}

/** Renders a project's files except those of features, without the code that neither of them uses. */
function projectTexts(model: Model): Files {
  const view = projectView(model)
  const texts = textsOf(projectTemplates(model, view))
  const computed = computedTexts(view, model)
  const own = [...texts].filter(([path]) => !isShared(path))
  const features = model.features.flatMap((feature) => [...featureTexts(model, feature)])
  const scripts = [...own, ...computed, ...features].filter(([path]) => isScript(path))
  const shared = new Map([...texts].filter(([path]) => isShared(path)))
  return new Map([...computed, ...own, ...withoutUnused(shared, new Map(scripts))])
}

/** Returns true for a script that other files import, and that names no feature. */
function isShared(path: string): boolean {
  const isEntry = entries.includes(path) || wiringFiles.some((wiring) => wiring === path)
  return !isEntry && /^(src|client|test\/support)\/.*(?<!\.test)\.ts$/.test(path)
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
    'scripts/seed.ts',
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

function computedTexts({ store }: ProjectView, model: Model): Files {
  return new Map(Object.entries(store.files(model)))
}

function textsOf(templates: readonly Template[], nameOf = (path: string) => path): Files {
  const texts = templates.map(({ folder, path, view }) => {
    return [nameOf(path), renderTemplate(`${folder}/${path}`, view)] as const
  })
  return new Map(texts.filter(([, text]) => text.trim() !== ''))
}

async function laidOut(texts: Files, layOut = format): Promise<Files> {
  const files = [...texts].map(async ([path, text]) => {
    return [path, await layOut(path, isScript(path) ? sortImports(text) : text)] as const
  })
  return new Map(await Promise.all(files))
}

function isScript(path: string): boolean {
  return path.endsWith('.ts')
}

async function formatWide(path: string, text: string): Promise<string> {
  return text.split('\n').some((line) => line.length > lineWidth) ? format(path, text) : text
}
