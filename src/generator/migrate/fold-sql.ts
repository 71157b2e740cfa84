import { foldedCharacters } from '../model/fold.ts'
import type { Literals } from './dialects/dialect.ts'

const [finalSigma, sigma] = [0x3c2, 0x3c3]

/**
 * Returns an SQL expression that approximates the emitted `foldText`, for existing rows. `lower` of SQLite handles
 * only ASCII; the next update of such a row folds the other letters.
 */
export function foldSql(text: string, { string, codePoint }: Literals): string {
  const lower = `lower(coalesce(${text}, ''))`
  return foldedCharacters.reduce(
    (sql, [character, folded]) =>
      `replace(${sql}, ${string(character)}, ${codePoint(folded.charCodeAt(0))})`,
    `replace(${lower}, ${codePoint(finalSigma)}, ${codePoint(sigma)})`,
  )
}
