import type { Model } from '../model/model.ts'
import type { Store } from '../stores/store.ts'
import { storeOf } from '../stores/stores.ts'
import { type FeatureView, featureView } from './feature-view.ts'
import { byName } from './order.ts'
import {
  authBlockedScripts,
  authDependencies,
  authDevDependencies,
  dependencies,
  devDependencies,
} from './versions.ts'

/** The whole project as the templates see it. */
export interface ProjectView {
  name: string
  module: string
  store: Store
  /** Whether it has users who register and log in, and uploads. */
  auth: boolean
  /** Whether it keeps files beside its store, or its store is one. */
  keepsFiles: boolean
  /** The volumes that compose.yaml declares. */
  volumes: readonly string[]
  features: readonly FeatureView[]
  /** Before the name of a parameter that is used as soon as there is a feature. */
  unused: string
  /** Before a command that needs the generated code. */
  generateFirst: string
  dependencies: readonly Dependency[]
  devDependencies: readonly Dependency[]
  blockedScripts: readonly string[]
}

interface Dependency {
  name: string
  version: string
}

export function projectView(model: Model): ProjectView {
  const { auth } = model
  const store = storeOf(model.database)
  const keepsFiles = auth || store.compose.keepsFiles
  return {
    name: model.name,
    module: model.module,
    store,
    auth,
    keepsFiles,
    volumes: [...(keepsFiles ? ['data'] : []), ...store.compose.volumes],
    features: model.features.map((feature) => featureView(model, feature)),
    generateFirst: store.generate && `${store.generate} && `,
    unused: model.features.length === 0 ? '_' : '',
    dependencies: sorted({
      ...dependencies,
      ...(auth && authDependencies),
      ...store.dependencies,
    }),
    devDependencies: sorted({
      ...devDependencies,
      ...(auth && authDevDependencies),
      ...store.devDependencies,
    }),
    blockedScripts: [...store.blockedScripts, ...(auth ? authBlockedScripts : [])].sort(byName),
  }
}

function sorted(versions: Readonly<Record<string, string>>): Dependency[] {
  return Object.entries(versions)
    .map(([name, version]) => ({ name, version }))
    .sort((a, b) => byName(a.name, b.name))
}
