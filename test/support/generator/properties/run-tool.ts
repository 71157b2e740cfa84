import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { packages } from './emitted-project.ts'

export interface Ended {
  readonly code: number
  readonly output: string
}

/** Entry points of programs, relative to the packages of this repository. */
const entries = {
  biome: '@biomejs/biome/bin/biome',
  knip: 'knip/bin/knip.js',
  prisma: 'prisma/build/index.js',
  tsc: 'typescript/bin/tsc',
  vitest: 'vitest/vitest.mjs',
} as const

/** Runs a tool in a folder until it ends, with any exit code. */
export function runTool(
  cwd: string,
  tool: keyof typeof entries,
  ...args: readonly string[]
): Promise<Ended> {
  // Prisma checks the path of its engine even if it does not run the engine.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, NO_COLOR: '1' }
  const argv = [join(packages, entries[tool]), ...args]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, argv, { cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const output = `${stdout}\n${stderr}`
      if (error === null) resolve({ code: 0, output })
      else if (typeof error.code === 'number') resolve({ code: error.code, output })
      else reject(error)
    })
  })
}
