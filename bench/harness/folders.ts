import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const benchFolder = fileURLToPath(new URL('..', import.meta.url))
export const repositoryFolder = fileURLToPath(new URL('../..', import.meta.url))

/** Calls `use` with a fresh temporary folder, and removes the folder afterwards, also after an error. */
export async function withTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-bench-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Throws if the peers are not installed; they have a separate lock file. */
export function requirePeers(): void {
  if (!existsSync(join(benchFolder, 'node_modules/@nestjs/cli'))) {
    throw new Error('the peers are not installed: run `npm ci --prefix bench` first')
  }
}
