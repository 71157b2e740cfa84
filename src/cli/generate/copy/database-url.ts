import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { StrataError } from '../../../generator/errors.ts'
import type { StoreKind } from '../../../generator/model/store-kinds.ts'
import type { Plan } from '../../../generator/plan/plan.ts'
import { storeOf } from '../../../generator/stores/stores.ts'

/** Returns the URL that the app of the project uses now. Throws StrataError 'usage' if it is not set. */
export function configuredUrl(root: string, kind: StoreKind): string {
  const file = join(root, '.env')
  const settings = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  const url = process.env.DATABASE_URL ?? settings.DATABASE_URL ?? storeOf(kind).databaseUrl.default
  if (url !== '') return url
  throw new StrataError('usage', 'DATABASE_URL of the old store is not set: set it in .env')
}

/** Returns the URL of the new store: `--to`, or the default of its kind. Throws StrataError 'usage'. */
export function chosenUrl(kind: StoreKind, to: string | undefined): string {
  const { default: fallback, pattern, message, example } = storeOf(kind).databaseUrl
  const url = to ?? fallback
  if (url === '') {
    const detail = `strata store ${kind} --copy --to ${example}`
    throw new StrataError('usage', `--copy needs the URL of a running, empty ${kind} store`, {
      details: [detail],
    })
  }
  // The pattern is written as code: `/^file:…/i`.
  const [, source = '', flags] = /^\/(.*)\/(\w*)$/.exec(pattern) ?? []
  if (!new RegExp(source, flags).test(url)) throw new StrataError('usage', `--to ${message}`)
  return url
}

/** Returns the URL with an absolute path, if it names a file. */
export function absoluteUrl(root: string, kind: StoreKind, url: string): string {
  return kind === 'sqlite' ? `file:${fileOf(root, url)}` : url
}

/** Throws StrataError 'conflict' if the new store is a file that exists. */
export function refuseExistingFile(root: string, kind: StoreKind, url: string): void {
  if (kind !== 'sqlite' || !existsSync(fileOf(root, url))) return
  throw new StrataError(
    'conflict',
    `${url} exists, and a copy needs a new file: choose another with --to file:./data/<name>.db, or move the file away`,
  )
}

/** Returns the plan with a `.env` that names the new store. */
export function withDatabaseUrl(plan: Plan, url: string, envFile: string | undefined): Plan {
  const path = '.env'
  const planned = plan.actions.find((action) => action.path === path)
  const isWritten = planned?.kind === 'create' || planned?.kind === 'edit'
  const text = isWritten ? planned.after : (envFile ?? '')
  const after = withSetting(text, url)
  if (after === text) return plan
  const details = { path, after, reason: 'the URL of the new store', secret: true } as const
  const action =
    envFile === undefined
      ? ({ kind: 'create', ...details } as const)
      : ({ kind: 'edit', before: envFile, ...details } as const)
  const others = plan.actions.filter((each) => each.path !== path)
  const actions = [...others, action].sort((a, b) => (a.path < b.path ? -1 : 1))
  return { ...plan, actions }
}

function withSetting(text: string, url: string): string {
  const line = `DATABASE_URL=${quoted(url)}`
  const setting = /^DATABASE_URL=.*$/m
  if (setting.test(text)) return text.replace(setting, () => line)
  return `${text.replace(/(?<=[^\n])$/, '\n')}${line}\n`
}

/** Quotes a value that the file would cut or change. */
function quoted(value: string): string {
  if (/^[\w:/.@?&=;,+%~-]*$/.test(value)) return value
  const quote = ["'", '"', '`'].find((each) => !value.includes(each)) ?? "'"
  return `${quote}${value}${quote}`
}

function fileOf(root: string, url: string): string {
  return resolve(root, url.replace(/^file:(\/\/(?=\/))?/, ''))
}
