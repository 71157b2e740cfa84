import type { FormatConfig } from 'oxfmt'

/** Line width of emitted code, in columns. */
export const lineWidth = 100

/** Style of emitted code. Must match `templates/project/biome.json.hbs`. */
const style = { printWidth: lineWidth, semi: false, singleQuote: true } satisfies FormatConfig

/**
 * Formats a script in the style of emitted code. Returns any other file unchanged, because templates already have
 * its layout. Throws if the script does not parse, which is a bug of a template.
 */
export async function format(path: string, text: string): Promise<string> {
  if (!/\.(ts|mjs)$/.test(path)) return text
  const { format: formatScript } = await import('oxfmt')
  const { code, errors } = await formatScript(path, text, style)
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}\n${text}`)
  return code
}
