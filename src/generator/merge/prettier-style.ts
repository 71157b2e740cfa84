import { type ParseError, parse } from 'jsonc-parser'
import picomatch from 'picomatch'
import * as z from 'zod/mini'
import type { CodeStyle } from '../render/format.ts'
import type { FormatterSettings, ReadSettings } from './formatter-settings.ts'

/** Files of settings in the order in which Prettier looks for them. Those that are code are ignored. */
const dataFiles = ['.prettierrc', '.prettierrc.json', '.prettierrc.yaml', '.prettierrc.yml']
const otherFiles = [
  '.prettierrc.json5',
  ...['js', 'ts', 'mjs', 'mts', 'cjs', 'cts'].flatMap((kind) => [
    `.prettierrc.${kind}`,
    `prettier.config.${kind}`,
  ]),
  '.prettierrc.toml',
]

/** Returns Prettier's settings, or undefined if the project has none. */
export function prettierStyle(readFile: ReadSettings): FormatterSettings | undefined {
  const found = ofPackage(readFile) ?? firstText(readFile)
  if (found === undefined) {
    const ignored = otherFiles.find((path) => readFile(path) !== undefined)
    return ignored === undefined ? undefined : { styleOf: () => undefined, ignored }
  }
  const settings = settingsShape.safeParse(found.value)
  if (!settings.success) return { styleOf: () => undefined, ignored: found.path }
  const { overrides = [], ...options } = settings.data
  return {
    styleOf(path) {
      const fitting = overrides.filter(
        ({ files, excludeFiles = [] }) => matches(path, files) && !matches(path, excludeFiles),
      )
      const given = Object.assign({}, options, ...fitting.map((each) => each.options ?? {}))
      return { ...defaults, ...editorStyle(readFile, path), ...given }
    },
  }
}

const defaults: CodeStyle = { printWidth: 80, semi: true, singleQuote: false }

const optionsShape = z.object({
  printWidth: z.optional(z.number()),
  tabWidth: z.optional(z.number()),
  useTabs: z.optional(z.boolean()),
  semi: z.optional(z.boolean()),
  singleQuote: z.optional(z.boolean()),
  quoteProps: z.optional(z.enum(['as-needed', 'consistent', 'preserve'])),
  trailingComma: z.optional(z.enum(['all', 'es5', 'none'])),
  bracketSpacing: z.optional(z.boolean()),
  arrowParens: z.optional(z.enum(['always', 'avoid'])),
  objectWrap: z.optional(z.enum(['preserve', 'collapse'])),
  experimentalOperatorPosition: z.optional(z.enum(['start', 'end'])),
})

const patterns = z.union([z.string(), z.array(z.string())])

const settingsShape = z.extend(optionsShape, {
  overrides: z.optional(
    z.array(
      z.object({
        files: patterns,
        excludeFiles: z.optional(patterns),
        options: z.optional(optionsShape),
      }),
    ),
  ),
})

interface Found {
  readonly path: string
  readonly value: unknown
}

function ofPackage(readFile: ReadSettings): Found | undefined {
  const text = readFile('package.json')
  if (text === undefined || !text.includes('"prettier"')) return undefined
  const value: unknown = Object(parse(text)).prettier
  // A text is the name of a package with settings, which is code.
  return value === undefined ? undefined : { path: 'package.json#prettier', value }
}

function firstText(readFile: ReadSettings): Found | undefined {
  for (const path of dataFiles) {
    const text = readFile(path)
    if (text !== undefined) return { path, value: parsed(text) }
  }
  return undefined
}

/** Reads JSON with comments, or else the scalars of a flat YAML document. Returns undefined for other texts. */
function parsed(text: string): unknown {
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  return errors.length === 0 ? value : flatYaml(text)
}

function flatYaml(text: string): unknown {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trimEnd())
    .filter((line) => line !== '' && line !== '---')
  const entries = lines.map((line) => /^(\w+):\s+(['"]?)([\w-]+)\2$/.exec(line))
  if (entries.some((entry) => entry === null)) return undefined
  return Object.fromEntries(entries.map((entry) => [entry?.[1], scalarOf(entry?.[3] ?? '')]))
}

function scalarOf(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^\d+$/.test(text) ? Number(text) : text
}

/** A pattern without a slash matches in every folder. */
function matches(path: string, files: string | readonly string[]): boolean {
  return [files].flat().some((pattern) => {
    const isName = !pattern.includes('/')
    return picomatch(pattern.replace(/^\.\//, ''), { dot: true, basename: isName })(path)
  })
}

/** Returns the settings of `.editorconfig`, which Prettier obeys. */
function editorStyle(readFile: ReadSettings, path: string): CodeStyle {
  let isOurs = false
  const found = new Map<string, string>()
  for (const line of (readFile('.editorconfig') ?? '').split(/\r?\n/)) {
    const section = /^\s*\[(.+)\]\s*$/.exec(line)
    if (section) isOurs = matches(path, section[1] ?? '')
    const [, key, value] = /^\s*(\w+)\s*=\s*([\w-]+)\s*$/.exec(line) ?? []
    if (isOurs && key && value) found.set(key.toLowerCase(), value.toLowerCase())
  }
  const number = (key: string) => Number(found.get(key)) || undefined
  const style = found.get('indent_style')
  const [tabWidth, printWidth] = [
    number('indent_size') ?? number('tab_width'),
    number('max_line_length'),
  ]
  return {
    ...(style !== undefined && { useTabs: style === 'tab' }),
    ...(tabWidth !== undefined && { tabWidth }),
    ...(printWidth !== undefined && { printWidth }),
  }
}
