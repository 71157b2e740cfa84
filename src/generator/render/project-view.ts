import type { Model } from '../model/model.ts'
import type { Store } from '../stores/store.ts'
import { storeOf } from '../stores/stores.ts'
import { type FeatureView, featureView } from './feature-view.ts'
import { byName } from './order.ts'
import { dependencies, devDependencies } from './versions.ts'

/** The whole project as the templates see it. */
export interface ProjectView {
  name: string
  module: string
  store: Store
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
  const store = storeOf(model.database)
  return {
    name: model.name,
    module: model.module,
    store,
    features: model.features.map(featureView),
    generateFirst: store.generate && `${store.generate} && `,
    unused: model.features.length === 0 ? '_' : '',
    dependencies: sorted({ ...dependencies, ...store.dependencies }),
    devDependencies: sorted({ ...devDependencies, ...store.devDependencies }),
    blockedScripts: store.blockedScripts,
  }
}

function sorted(versions: Readonly<Record<string, string>>): Dependency[] {
  return Object.entries(versions)
    .map(([name, version]) => ({ name, version }))
    .sort((a, b) => byName(a.name, b.name))
}
