import type { FormatConfig } from 'oxfmt'

/** Options of a code style. */
export type CodeStyle = FormatConfig

/** Line width of emitted code, in columns. */
export const lineWidth = 100

/** Style of emitted code. Must match `templates/project/biome.json.hbs`. */
export const emittedStyle = {
  printWidth: lineWidth,
  semi: false,
  singleQuote: true,
} satisfies FormatConfig

/**
 * Formats a script in the style of emitted code. Returns any other file unchanged, because templates already have
 * its layout. Throws if the script does not parse, which is a bug of a template.
 */
export async function format(path: string, text: string): Promise<string> {
  if (!/\.(ts|mjs)$/.test(path)) return text
  const { format: oxfmt } = await import('oxfmt')
  const { code, errors } = await oxfmt(path, text, emittedStyle)
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}\n${text}`)
  return code
}

/** Formats a script in another style. Returns `undefined` if the script does not parse. */
export async function formatScript(
  path: string,
  text: string,
  options: CodeStyle,
): Promise<string | undefined> {
  const { format: oxfmt } = await import('oxfmt')
  const { code, errors } = await oxfmt(path, text, options)
  return errors.length > 0 ? undefined : code
}
