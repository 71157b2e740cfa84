import { rangeFieldsOf } from '../model/list-fields.ts'
import type { EntityNames, Model } from '../model/model.ts'
import type { Store } from '../stores/store.ts'
import { storeOf } from '../stores/stores.ts'
import { type GuardedRepository, guardArgument, guardedRepositories } from './access-view.ts'
import { byName } from './order.ts'
import { type SeedStep, seedSteps } from './seed-view.ts'
import { type UsesView, usesView } from './uses-view.ts'
import {
  authBlockedScripts,
  authDependencies,
  authDevDependencies,
  dependencies,
  devDependencies,
} from './versions.ts'

/** Template data of the whole project. */
export interface ProjectView {
  name: string
  module: string
  store: Store
  /** True if the app has uploads and users who log in. */
  auth: boolean
  /** True if the app writes files: uploads, or a store in a file. */
  keepsFiles: boolean
  /** Volumes in compose.yaml. */
  volumes: readonly string[]
  features: readonly WiredFeature[]
  /** Former paths of collections, and their paths now. Undefined if there are none. */
  aliases: readonly Alias[] | undefined
  /** The handlers of /api/v1, and the parts of /openapi.json, as code. */
  apiHandlers: string
  apiDocs: string
  /** True if a list compares values. */
  usesRanges: boolean
  uses: UsesView
  /** True if .env must have settings before the first start. */
  needsSetup: boolean
  /** Prefix of parameters that an app without features does not use: '_' or ''. */
  unused: string
  seedSteps: readonly SeedStep[]
  /** Prefix of npm scripts that need generated code, or ''. */
  generateFirst: string
  /** Steps of the README before the first start. */
  preparations: readonly Preparation[]
  /** Lines of JSON objects in package.json. */
  dependencies: readonly string[]
  devDependencies: readonly string[]
  scriptPermissions: readonly string[]
}

/** Template data of a feature in files that name every feature. The view of its own files takes ten times as long. */
interface WiredFeature extends EntityNames {
  guardArgument: string
  guardedRepositories: readonly GuardedRepository[]
}

interface Alias {
  former: string
  path: string
}

interface Preparation {
  text: string
  /** Shell command. */
  command: string
}

/** A run renders the same model several times. */
const views = new WeakMap<Model, ProjectView>()

export function projectView(model: Model): ProjectView {
  const known = views.get(model)
  if (known) return known
  const view = createView(model)
  views.set(model, view)
  return view
}

function createView(model: Model): ProjectView {
  const { auth } = model
  const store = storeOf(model)
  const keepsFiles = auth || store.compose.keepsFiles
  const aliases = aliasesOf(model)
  return {
    name: model.name,
    module: model.module,
    store,
    auth,
    keepsFiles,
    volumes: [...(keepsFiles ? ['data'] : []), ...store.compose.volumes],
    features: model.features.map((feature) => ({
      ...feature.entity,
      guardArgument: guardArgument(model, feature),
      guardedRepositories: guardedRepositories(model, feature),
    })),
    aliases: aliases.length > 0 ? aliases : undefined,
    apiHandlers: `${aliases.length > 0 ? 'serveAliases, ' : ''}createRoutes(container)`,
    apiDocs: aliases.length > 0 ? 'withAliases(apiDocs)' : 'apiDocs',
    usesRanges: model.features.some((feature) => rangeFieldsOf(model, feature).length > 0),
    uses: usesView(model),
    generateFirst: store.generate && `${store.generate} && `,
    needsSetup: needsSetup(model),
    seedSteps: seedSteps(model),
    unused: model.features.length === 0 ? '_' : '',
    preparations: preparationsOf(model, store),
    dependencies: jsonLines({
      ...dependencies,
      ...(auth && authDependencies),
      ...store.dependencies,
    }),
    devDependencies: jsonLines({
      ...devDependencies,
      ...(auth && authDevDependencies),
      ...store.devDependencies,
    }),
    scriptPermissions: jsonLines(
      Object.fromEntries(
        [...store.blockedScripts, ...(auth ? authBlockedScripts : [])].map((name) => [name, false]),
      ),
    ),
  }
}

function aliasesOf({ features }: Model): readonly Alias[] {
  return features.flatMap(({ entity, aliases = [] }) =>
    aliases.map((former) => ({ former, path: entity.plural.kebab })),
  )
}

/** Returns true if the app has settings without a default: secrets, or the address of a server. */
export function needsSetup(model: Model): boolean {
  return model.auth || storeOf(model).env !== undefined
}

function preparationsOf(model: Model, { serverCommand }: Store): Preparation[] {
  const start = { text: 'Start the server of the store:', command: serverCommand }
  return [...(needsSetup(model) ? [setUp] : []), ...(serverCommand === '' ? [] : [start])]
}

const setUp: Preparation = {
  text: 'A new clone has no `.env`, which git ignores. Create it from `.env.example`, with random secrets. Existing settings stay:',
  command: 'npm run setup',
}

/** Prints the properties of an object as lines of JSON, sorted by name. */
function jsonLines(properties: Readonly<Record<string, string | boolean>>): string[] {
  const names = Object.keys(properties).sort(byName)
  return names.map((name, index) => {
    const comma = index < names.length - 1 ? ',' : ''
    return `${JSON.stringify(name)}: ${JSON.stringify(properties[name])}${comma}`
  })
}
