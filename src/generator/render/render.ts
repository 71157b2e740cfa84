import type { Feature, Model } from '../model/model.ts'
import { storeOf } from '../stores/stores.ts'
import { featureView } from './feature-view.ts'
import { format, lineWidth } from './format.ts'
import { combineLayers, type Layer, type LayerFile } from './layers.ts'
import { needsSetup, type ProjectView, projectView } from './project-view.ts'
import { sortImports } from './sort-imports.ts'
import { renderTemplate } from './template.ts'
import { exportedNames, importedNames, withoutUnused } from './unused-code.ts'

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
  return new Map([...projectTexts(model)].filter(([path]) => isChanging(path, computed)))
}

function isChanging(path: string, computed: Files): boolean {
  return (isShared(path) || path === seedFile) && !computed.has(path)
}

/** A change of a project whose shared scripts are known. */
export interface SharedChange {
  readonly before: Model
  readonly after: Model
  /** The features of both models whose files may differ. */
  readonly differing: { readonly before: readonly Feature[]; readonly after: readonly Feature[] }
  /** Returns the emitted text of a file of `before`. */
  readonly baseOf: (path: string) => string | undefined
}

/**
 * Returns `sharedTexts` of both models without rendering each feature: names that the emitted scripts export are in
 * use. Returns undefined if the emitted scripts differ from `before`, or if a name may no longer be in use.
 */
export function changedSharedTexts(
  change: SharedChange,
): { readonly old: Files; readonly next: Files } | undefined {
  const { before, after, differing, baseOf } = change
  const [old, next] = [splitTexts(before), splitTexts(after)]
  const emitted = [...old.shared.keys()].flatMap((path): [string, string][] => {
    const text = baseOf(path)
    return text === undefined ? [] : [[path, text]]
  })
  const used = exportedNames(new Map(emitted))
  const oldTexts = changingTexts(before, old, used)
  const isAsEmitted = [...old.shared.keys()].every(
    (path) => bare(oldTexts.get(path)) === bare(baseOf(path)),
  )
  if (!isAsEmitted) return undefined
  const [former, current] = [usedBy(before, differing.before), usedBy(after, differing.after)]
  const lost = new Set([...former].filter((name) => used.has(name) && !current.has(name)))
  // The first features often use all of these names.
  for (const feature of after.features.filter((each) => !differing.after.includes(each))) {
    if (lost.size === 0) break
    for (const name of usedBy(after, [feature])) lost.delete(name)
  }
  if (lost.size > 0) return undefined
  return { old: oldTexts, next: changingTexts(after, next, new Set([...used, ...current])) }
}

type SplitTexts = ReturnType<typeof splitTexts>

function changingTexts(model: Model, texts: SplitTexts, used: ReadonlySet<string>): Files {
  const { shared, others } = texts
  const scripts = new Map([...others].filter(([path]) => isScript(path)))
  const all = new Map([...others, ...withoutUnused(shared, scripts, used)])
  const computed = computedTexts(projectView(model), model)
  return new Map([...all].filter(([path]) => isChanging(path, computed)))
}

function usedBy(model: Model, features: readonly Feature[]): ReadonlySet<string> {
  const texts = features.flatMap((feature) => [...featureTexts(model, feature)])
  return importedNames(new Map(texts.filter(([path]) => isScript(path))))
}

/** Removes what the formatter may change. */
function bare(text: string | undefined): string | undefined {
  return text === undefined ? undefined : sortImports(text).replace(/[\s,;()'"`]+/g, '')
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
  const features = model.features.flatMap((feature) => [...featureTexts(model, feature)])
  const { shared, others } = splitTexts(model)
  const scripts = [...others, ...features].filter(([path]) => isScript(path))
  return new Map([...others, ...withoutUnused(shared, new Map(scripts))])
}

/** Renders the scripts that features share, with all their code, and the other files except those of features. */
function splitTexts(model: Model): { readonly shared: Files; readonly others: Files } {
  const view = projectView(model)
  const texts = textsOf(projectTemplates(model, view))
  const own = [...texts].filter(([path]) => !isShared(path))
  return {
    shared: new Map([...texts].filter(([path]) => isShared(path))),
    others: new Map([...computedTexts(view, model), ...own]),
  }
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
    ...(view.aliases ? [{ folder: 'aliases' }] : []),
    ...(view.store.serverCommand === '' ? [] : [{ folder: 'server' }]),
    ...(auth ? [authLayer] : []),
    ...layersOf(templates.project),
    ...(auth ? layersOf(templates.auth) : []),
  ]
  return combineLayers(layers).map((file) => ({ ...file, view }))
}

function layersOf(folders: readonly string[]): readonly Layer[] {
  return folders.map((folder) => ({ folder }))
}

/** A run needs the files of the same model several times. */
const computed = new WeakMap<Model, Files>()

function computedTexts({ store }: ProjectView, model: Model): Files {
  const texts = computed.get(model) ?? new Map(Object.entries(store.files(model)))
  computed.set(model, texts)
  return texts
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
