import { type CodeStyle, emittedStyle } from '../render/format.ts'
import { biomeStyle } from './biome-style.ts'
import type { ReadSettings } from './formatter-settings.ts'
import { prettierStyle } from './prettier-style.ts'

/** The settings of a project's formatter. */
export interface ProjectStyle {
  /** Returns the style of a script, or undefined if the settings are those of emitted code or format no such file. */
  readonly styleOf: (path: string) => CodeStyle | undefined
  /** The path of settings that are code or can't be read. Strata runs no code of a project. */
  readonly ignored?: string
}

/**
 * Reads the settings of the project's formatter: Prettier's, because strata emits none, or else Biome's. Reads data and runs no
 * code.
 */
export function projectStyle(readFile: ReadSettings): ProjectStyle {
  const settings = prettierStyle(readFile) ?? biomeStyle(readFile)
  if (settings === undefined) return { styleOf: () => undefined }
  if (settings.ignored !== undefined) return { styleOf: () => undefined, ignored: settings.ignored }
  return {
    styleOf(path) {
      const style = settings.styleOf(path)
      return style === undefined || isEmittedStyle(style) ? undefined : style
    },
  }
}

/** Defaults that Prettier and Biome share. */
const shared = {
  tabWidth: 2,
  useTabs: false,
  arrowParens: 'always',
  bracketSpacing: true,
  quoteProps: 'as-needed',
  trailingComma: 'all',
  objectWrap: 'preserve',
  experimentalOperatorPosition: 'end',
} as const

function isEmittedStyle(style: CodeStyle): boolean {
  const emitted: CodeStyle = { ...shared, ...emittedStyle }
  const used: CodeStyle = { ...shared, ...style }
  return (Object.keys(emitted) as (keyof CodeStyle)[]).every((key) => used[key] === emitted[key])
}
