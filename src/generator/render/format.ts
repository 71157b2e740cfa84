import type { FormatConfig } from 'oxfmt'

/** Columns of emitted code. */
export const lineWidth = 100

/** The style of emitted code; `templates/project/biome.json` says the same to Biome. */
const style = { printWidth: lineWidth, semi: false, singleQuote: true } satisfies FormatConfig

/**
 * The text laid out in the style of emitted code. JSON, Markdown and whatever is no script is given back as it
 * is: templates write those out. Throws where the text does not parse, which is a fault of a template.
 */
export async function format(path: string, text: string): Promise<string> {
  if (!/\.(ts|mjs)$/.test(path)) return text
  const { format: formatScript } = await import('oxfmt')
  const { code, errors } = await formatScript(path, text, style)
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}\n${text}`)
  return code
}
