import type { CodeStyle } from '../render/format.ts'

/** Reads a file of the project. Returns undefined if the file is missing. */
export type ReadSettings = (path: string) => string | undefined

/** The settings of a formatter that decide how a script looks, completed by the formatter's defaults. */
export interface FormatterSettings {
  readonly styleOf: (path: string) => CodeStyle | undefined
  /** The path of settings that are code or can't be read. */
  readonly ignored?: string
}
