import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Program } from './bare-start.ts'

const folder = fileURLToPath(new URL('./peers', import.meta.url))

/** Returns a program of `peers/` with its environment variables. */
export function peerProgram(file: string, env: Readonly<Record<string, string>>): Program {
  return { argv: [process.execPath, file], cwd: folder, env }
}

/** Tells whether the npm packages of the peers are installed; they have a separate lock file. */
export function hasNpmPeers(): boolean {
  return existsSync(`${folder}/node_modules`)
}
