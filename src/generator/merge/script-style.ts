import { type CodeStyle, formatScript } from '../render/format.ts'
import type { Texts } from './merge.ts'

/** The code style of a person's version of a file. */
export interface ScriptStyle {
  /** Formats an emitted text in the style. */
  readonly format: (text: string) => Promise<string>
  /** Formats a merged text, if the person's version is fully formatted. */
  readonly tidy: (text: string) => Promise<string>
}

const widths = [100, 80, 120, 90, 110, 140]

/** Finds the style, of the project's settings or by detection, in which the emitted text has the most lines in common with the person's version. */
export async function scriptStyle(
  path: string,
  { base, disk, style }: Texts,
): Promise<ScriptStyle> {
  const lines = new Set(disk.split('\n'))
  const formatWith = (style: CodeStyle) => async (text: string) =>
    (await formatScript(path, text, style)) ?? text
  const candidates = await Promise.all(
    [
      ...(style ? [style] : []),
      ...widths.map((printWidth) => ({ ...detectedStyle(disk), printWidth })),
    ].map(async (candidate) => {
      const format = formatWith(candidate)
      const common = (await format(base)).split('\n').filter((line) => lines.has(line)).length
      return { format, common }
    }),
  )
  const asEmitted = base.split('\n').filter((line) => lines.has(line)).length
  const best = candidates.reduce((one, other) => (other.common > one.common ? other : one))
  // Equal counts mean that the person kept the emitted style, unless the settings say another one.
  const isOther = best.common > asEmitted || (style !== undefined && best.common === asEmitted)
  const format = isOther ? best.format : async (text: string) => text
  const isFormatted = (await best.format(disk)) === disk
  return { format, tidy: isFormatted ? best.format : async (text) => text }
}

function detectedStyle(text: string): CodeStyle {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  const useTabs = count(/^\t/gm) > count(/^ {2}/gm)
  return {
    semi: count(/;$/gm) > count(/^(?:import|const|return|throw)\b.*[^;{(,[]$/gm),
    singleQuote: count(/'/g) >= count(/"/g),
    arrowParens: count(/\(\w+\) =>/g) < count(/(?<=[\s(])\w+ =>/g) ? 'avoid' : 'always',
    bracketSpacing: count(/(?<!\$)\{ \w/g) >= count(/(?<!\$)\{\w/g),
    useTabs,
    tabWidth: count(/^ {2}\S/gm) > 0 || useTabs ? 2 : 4,
    trailingComma: count(/,\n\s*[)\]}]/g) > 0 || count(/[^,{[(]\n\s*[\]}]/g) === 0 ? 'all' : 'none',
  }
}
