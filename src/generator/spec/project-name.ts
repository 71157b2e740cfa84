import validate from 'validate-npm-package-name'
import { StrataError } from '../errors.ts'

/**
 * Reads a project's name, which also names its folder and its package. Throws `usage` for a path, a
 * space, a scope or a name that npm refuses for new packages. The message proposes a valid name.
 */
export function parseProjectName(input: string): string {
  return parseName(input, 'project name', projectFault, proposeProject)
}

/** Reads an npm package name, with or without a scope. Throws `usage` like `parseProjectName`. */
export function parseModuleName(input: string): string {
  return parseName(input, 'module name', moduleFault, proposeModule)
}

type Fault = (input: string) => string | undefined

function parseName(input: string, what: string, faultOf: Fault, propose: Fault): string {
  const reason = faultOf(input)
  if (reason === undefined) return input
  const proposal = propose(input)
  const hint =
    proposal === undefined || faultOf(proposal) !== undefined
      ? 'try "my-shop"'
      : `try "${proposal}"`
  throw new StrataError('usage', `invalid ${what} ${JSON.stringify(input)}: ${reason}, ${hint}`, {
    place: { input, start: 0, length: input.length },
  })
}

const projectFault: Fault = (input) => {
  if (input === '.' || input === '..') return 'a name is not a path'
  if (/[/\\]/.test(input)) {
    return input.startsWith('@')
      ? 'a scope belongs to --module'
      : 'a name is not a path (the project is created in the current folder)'
  }
  return moduleFault(input)
}

const moduleFault: Fault = (input) => {
  if (input === '') return 'it is empty'
  if (/\s/.test(input)) return "it can't contain spaces"
  if (input.startsWith('-')) return 'it would be read as an option'
  const { errors = [], warnings = [] } = validate(input)
  const refusal = errors[0] ?? warnings[0]
  if (refusal !== undefined) return refusal
  const folder = input.split('/').at(-1) ?? input
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(folder)) return 'use lowercase letters, digits, - . _'
  if (folder.endsWith('.') || devices.test(folder)) return 'Windows does not allow such a folder'
  return undefined
}

const devices = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/

const proposeProject: Fault = (input) => {
  const slug = slugOf(input.split(/[/\\]/).at(-1) ?? '')
  if (slug === '') return undefined
  return projectFault(slug) === undefined ? slug : `my-${slug}`
}

/** Proposes `@acme/shop` for a path such as `example.com/acme/shop`. */
const proposeModule: Fault = (input) => {
  const parts = input.split(/[/\\]/).map(slugOf)
  const [scope, name] = [parts.at(-2), parts.at(-1)]
  return scope === undefined || scope === '' || name === ''
    ? proposeProject(input)
    : `@${scope}/${name}`
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '')
}
