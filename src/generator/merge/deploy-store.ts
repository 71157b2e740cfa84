import { applyEdits, modify, parse } from 'jsonc-parser'

/** A kind of store, as far as the daemon can make a database of it. */
interface Kind {
  readonly deployStore?: string
}

/**
 * Returns a file with the settings of a new project for the daemon: an app is healthy if it can ask its store, the
 * daemon makes its database and the secret of its tokens, and its one proxy is the daemon's gateway.
 */
export function newDeployment({ deployStore }: Kind, hasAuth: boolean): string {
  const store = deployStore ? `"store": { "kind": "${deployStore}" }, ` : ''
  const secrets = hasAuth ? '"generate": ["JWT_SECRET"], ' : ''
  return `{ "deploy": { "health": "/ready", ${store}${secrets}"env": { "TRUST_PROXY": 1 } } }`
}

/**
 * Changes `deploy.store` in the text of `strata.json` for another kind of store. Keeps `data`, and the choice of a person
 * who removed `store`.
 */
export function withDeployStore(text: string, before: Kind, after: Kind): string {
  if (before.deployStore === after.deployStore) return text
  const { deploy } = parse(text) as { deploy?: { store?: unknown } }
  if (deploy === undefined) return text
  if (after.deployStore === undefined) return edited(text, ['deploy', 'store'], undefined)
  const hadStore = deploy.store !== undefined
  if (!hadStore && before.deployStore !== undefined) return text
  return hadStore
    ? edited(text, ['deploy', 'store', 'kind'], after.deployStore)
    : edited(text, ['deploy', 'store'], { kind: after.deployStore })
}

function edited(text: string, path: string[], value: unknown): string {
  return applyEdits(text, modify(text, path, value, {}))
}
