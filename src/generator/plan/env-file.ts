import type { Model } from '../model/model.ts'
import { storeOf } from '../stores/stores.ts'
import type { ReadFile } from './actions.ts'
import type { Action } from './plan.ts'

/** Random texts with URL-safe characters. Only the untracked `.env` contains them. */
export interface Secrets {
  readonly databasePassword: string
  /** At least 32 bytes. */
  readonly jwtSecret: string
}

const path = '.env'
const reason = 'settings that git does not track'

/** Creates the `.env` of a new project. */
export function newEnvFile(model: Model, secrets: Secrets): readonly Action[] {
  const after = `${storeLines(model, secrets)}${tokenLine(model, secrets)}`
  return after === '' ? [] : [{ kind: 'create', path, after, reason, secret: true }]
}

interface Change {
  readonly before: Model
  readonly after: Model
  readonly secrets: Secrets
  readonly readFile: ReadFile
}

/**
 * Adds the settings of another store or of users to `.env`. Comments out the previous store's lines instead of
 * deleting them: a person may have put own values there.
 */
export function changedEnvFile(change: Change): readonly Action[] {
  const { before, after, secrets, readFile } = change
  const isMoved = before.database !== after.database
  const added = [
    isMoved ? storeLines(after, secrets) : '',
    after.auth && !before.auth ? tokenLine(after, secrets) : '',
  ].join('')
  const disk = readFile(path)
  if (added === '' && !isMoved) return []
  const stores = isMoved ? [before, after] : []
  const keys = stores.flatMap((model) => keysOf(storeLines(model, secrets)))
  const text = `${withComments(disk ?? '', isMoved ? ['DATABASE_URL', ...keys] : [])}${added}`
  if (text === (disk ?? '')) return []
  if (disk === undefined) return [{ kind: 'create', path, after: text, reason, secret: true }]
  return [{ kind: 'edit', path, before: disk, after: text, reason, secret: true }]
}

function storeLines(model: Model, { databasePassword }: Secrets): string {
  return storeOf(model).env?.(databasePassword) ?? ''
}

function tokenLine({ auth }: Model, { jwtSecret }: Secrets): string {
  return auth ? `JWT_SECRET=${jwtSecret}\n` : ''
}

function keysOf(lines: string): readonly string[] {
  return [...lines.matchAll(/^(\w+)=/gm)].map(([, key = '']) => key)
}

function withComments(text: string, keys: readonly string[]): string {
  const lines = text.replace(/(?<=[^\n])$/, '\n').split('\n')
  const isOld = (line: string) => keys.includes(/^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1] ?? '')
  return lines.map((line) => (isOld(line) ? `# ${line}` : line)).join('\n')
}
