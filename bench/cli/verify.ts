import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** Throws when a command did not write `path`. */
export async function mustExist(path: string): Promise<void> {
  if (!existsSync(path)) throw new Error(`${path} was not written`)
}

/** Throws when the file at `path` does not hold `text`. */
export async function mustContain(path: string, text: string): Promise<void> {
  if (!(await readFile(path, 'utf8')).includes(text)) throw new Error(`${path} lacks \`${text}\``)
}
