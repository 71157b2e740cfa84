import { fileURLToPath } from 'node:url'

/** Command of the built volume reader. Vitest builds it before the tests. */
export const volumeReader: readonly string[] = [
  process.execPath,
  fileURLToPath(new URL('../../../../dist/strata-volume-reader.cjs', import.meta.url)),
]
