import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** Throws if `path` does not exist. */
export async function mustExist(path: string): Promise<void> {
  if (!existsSync(path)) throw new Error(`${path} was not written`)
}

/** Throws if the file at `path` does not contain `text`. */
export async function mustContain(path: string, text: string): Promise<void> {
  if (!(await readFile(path, 'utf8')).includes(text)) throw new Error(`${path} lacks \`${text}\``)
}
