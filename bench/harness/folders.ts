import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const benchFolder = fileURLToPath(new URL('..', import.meta.url))
export const repositoryFolder = fileURLToPath(new URL('../..', import.meta.url))

/** Gives `use` a fresh temporary folder and removes it afterwards, whatever happened. */
export async function withTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-bench-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Throws while the peers are not installed: they have their own lock file. */
export function requirePeers(): void {
  if (!existsSync(join(benchFolder, 'node_modules/@nestjs/cli'))) {
    throw new Error('the peers are not installed: run `npm ci --prefix bench` first')
  }
}
