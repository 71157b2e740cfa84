import { deployKeys } from './deploy-keys.ts'
import { didYouMean } from './nearest.ts'

/** The parts of a zod issue that a message needs. */
interface Issue {
  readonly code: string
  readonly path: readonly PropertyKey[]
  readonly keys?: readonly string[]
  readonly expected?: string
  readonly values?: readonly unknown[]
}

/** Describes the first issue after its dotted path: `features.News.fields: expected a list, not 1`. */
export function shapeMessage(issues: readonly Issue[], file: unknown): string {
  const [issue] = issues
  if (issue === undefined) return 'it does not have the shape of a project file'
  const path = printPath(issue.path)
  const message = messageOf(issue, file)
  return path === '' ? message : `${path}: ${message}`
}

function messageOf(issue: Issue, file: unknown): string {
  const [unknownKey] = issue.keys ?? []
  if (issue.code === 'unrecognized_keys' && unknownKey !== undefined) {
    const known = knownKeys(issue.path)
    const hint = didYouMean(unknownKey, known)
    return `unknown key ${JSON.stringify(unknownKey)}:${hint} the keys are ${known.join(', ')}`
  }
  const value = valueAt(file, issue.path)
  const expected =
    issue.values?.map(String).join(' or ') ?? nouns[issue.expected ?? ''] ?? 'another'
  return value === undefined
    ? `missing: write ${expected}`
    : `expected ${expected}, not ${excerpt(value)}`
}

function knownKeys([first]: readonly PropertyKey[]): readonly string[] {
  if (first === undefined) return fileKeys
  return first === 'deploy' ? deployKeys : featureKeys
}

const fileKeys = ['strata', 'name', 'module', 'database', 'orm', 'auth', 'features', 'deploy']

const featureKeys = [
  ...['plural', 'fields', 'search', 'protect', 'owner', 'private', 'unique', 'index', 'aliases'],
]

const nouns: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function excerpt(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function printPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? String(part) : `${text}.${String(part)}`
  }, '')
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, part) : undefined,
    value,
  )
}
