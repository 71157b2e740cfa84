import { type ParseError, parse } from 'jsonc-parser'
import picomatch from 'picomatch'
import * as z from 'zod/mini'
import type { CodeStyle } from '../render/format.ts'
import type { FormatterSettings, ReadSettings } from './formatter-settings.ts'

/** Returns the settings of Biome's formatter, or undefined if the project does not use it. */
export function biomeStyle(readFile: ReadSettings): FormatterSettings | undefined {
  const path = ['biome.json', 'biome.jsonc'].find((each) => readFile(each) !== undefined)
  if (path === undefined) return undefined
  const errors: ParseError[] = []
  const value: unknown = parse(readFile(path) ?? '', errors, { allowTrailingComma: true })
  const read = settingsShape.safeParse(value)
  if (errors.length > 0 || !read.success) return { styleOf: () => undefined, ignored: path }
  const { overrides = [], ...settings } = read.data
  return {
    styleOf(script) {
      const layers = [
        settings,
        ...overrides.filter(({ includes = [] }) => picomatch([...includes])(script)),
      ]
      const formatter = Object.assign({}, ...layers.map((layer) => layer.formatter))
      const ofScripts = Object.assign({}, ...layers.map((layer) => layer.javascript?.formatter))
      return styleFrom(formatter, ofScripts)
    },
  }
}

type Formatter = z.infer<typeof formatterShape>
type ScriptFormatter = z.infer<typeof scriptShape>

const formatterShape = z.object({
  enabled: z.optional(z.boolean()),
  indentStyle: z.optional(z.enum(['tab', 'space'])),
  indentWidth: z.optional(z.number()),
  lineWidth: z.optional(z.number()),
  bracketSpacing: z.optional(z.boolean()),
  expand: z.optional(z.enum(['auto', 'always', 'never'])),
})

const scriptShape = z.extend(formatterShape, {
  quoteStyle: z.optional(z.enum(['double', 'single'])),
  quoteProperties: z.optional(z.enum(['asNeeded', 'preserve'])),
  trailingCommas: z.optional(z.enum(['all', 'es5', 'none'])),
  semicolons: z.optional(z.enum(['always', 'asNeeded'])),
  arrowParentheses: z.optional(z.enum(['always', 'asNeeded'])),
  operatorLinebreak: z.optional(z.enum(['after', 'before'])),
})

const layerShape = z.object({
  formatter: z.optional(formatterShape),
  javascript: z.optional(z.object({ formatter: z.optional(scriptShape) })),
})

const settingsShape = z.extend(layerShape, {
  overrides: z.optional(
    z.array(z.extend(layerShape, { includes: z.optional(z.array(z.string())) })),
  ),
})

/** Returns the options of oxfmt for Biome's settings and defaults. Settings of scripts come before general ones. */
function styleFrom(general: Formatter, script: ScriptFormatter): CodeStyle | undefined {
  const both = { ...general, ...script }
  if (both.enabled === false) return undefined
  return {
    printWidth: both.lineWidth ?? 80,
    useTabs: (both.indentStyle ?? 'tab') === 'tab',
    tabWidth: both.indentWidth ?? 2,
    semi: both.semicolons !== 'asNeeded',
    singleQuote: both.quoteStyle === 'single',
    quoteProps: both.quoteProperties === 'preserve' ? 'preserve' : 'as-needed',
    trailingComma: both.trailingCommas ?? 'all',
    arrowParens: both.arrowParentheses === 'asNeeded' ? 'avoid' : 'always',
    bracketSpacing: both.bracketSpacing ?? true,
    objectWrap: both.expand === 'never' ? 'collapse' : 'preserve',
    experimentalOperatorPosition: both.operatorLinebreak === 'before' ? 'start' : 'end',
  }
}
