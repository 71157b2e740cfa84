import { foldedCharacters } from '../model/fold.ts'
import type { Literals } from './dialects/dialect.ts'

const [finalSigma, sigma] = [0x3c2, 0x3c3]

/**
 * The nearest that SQL has to the emitted `foldText`, over an expression: for rows that are there already.
 * SQLite's `lower` knows ASCII alone; such a row is folded whole when it is written next.
 */
export function foldSql(text: string, { string, codePoint }: Literals): string {
  const lower = `lower(coalesce(${text}, ''))`
  return foldedCharacters.reduce(
    (sql, [character, folded]) =>
      `replace(${sql}, ${string(character)}, ${codePoint(folded.charCodeAt(0))})`,
    `replace(${lower}, ${codePoint(finalSigma)}, ${codePoint(sigma)})`,
  )
}
