import validate from 'validate-npm-package-name'
import { StrataError } from '../errors.ts'

/**
 * Reads a project's name, which is its folder and its package too. Throws `usage` for a path, a
 * space, a scope or a name npm refuses for new packages, with a proposal where there is one.
 */
export function parseProjectName(input: string): string {
  return parseName(input, 'project name', projectFault, proposeProject)
}

/** Reads an npm package name, with or without a scope. Throws `usage` as `parseProjectName` does. */
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
  throw new StrataError('usage', `${JSON.stringify(input)} is no ${what}: ${reason}, ${hint}`, {
    place: { input, start: 0, length: input.length },
  })
}

const projectFault: Fault = (input) => {
  if (input === '.' || input === '..') return 'a name is not a path'
  if (/[/\\]/.test(input)) {
    return input.startsWith('@')
      ? 'a scope belongs to --module'
      : 'a name is not a path, the project is made in the current folder'
  }
  return moduleFault(input)
}

const moduleFault: Fault = (input) => {
  if (input === '') return 'it is empty'
  if (/\s/.test(input)) return 'it can have no spaces'
  if (input.startsWith('-')) return 'it would be read as an option'
  const { errors = [], warnings = [] } = validate(input)
  const refusal = errors[0] ?? warnings[0]
  if (refusal !== undefined) return refusal
  const folder = input.split('/').at(-1) ?? input
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(folder)) return 'use small letters, digits, - . _'
  if (folder.endsWith('.') || devices.test(folder)) return 'Windows has no such folder'
  return undefined
}

const devices = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/

const proposeProject: Fault = (input) => {
  const slug = slugOf(input.split(/[/\\]/).at(-1) ?? '')
  if (slug === '') return undefined
  return projectFault(slug) === undefined ? slug : `my-${slug}`
}

/** A path such as `example.com/acme/shop` becomes `@acme/shop`. */
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
