import type { Store } from './infra/store.js'

/** The adapters: the only place that names them. */
export function createRepositories(_store: Store) {
  return {}
}

export type Repositories = ReturnType<typeof createRepositories>

/** The use-cases. `now` is the clock. */
export function createContainer(_repositories: Repositories, _now = () => new Date()) {
  return {}
}

export type Container = ReturnType<typeof createContainer>
