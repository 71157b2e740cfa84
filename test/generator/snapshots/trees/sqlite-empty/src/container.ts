import type { Store } from './infra/store.js'

/** Creates the repositories. No other file names adapters. */
export function createRepositories(_store: Store) {
  return {}
}

export type Repositories = ReturnType<typeof createRepositories>

/** Creates the use-cases. `now` is the clock. */
export function createContainer(_repositories: Repositories, _now = () => new Date()) {
  return {}
}

export type Container = ReturnType<typeof createContainer>
