import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Program } from './bare-start.ts'

const folder = fileURLToPath(new URL('./peers', import.meta.url))

/** A program of `peers/` with what it is told. */
export function peerProgram(file: string, env: Readonly<Record<string, string>>): Program {
  return { argv: [process.execPath, file], cwd: folder, env }
}

/** Whether the proxies of npm are installed: they have their own lock file. */
export function hasNpmPeers(): boolean {
  return existsSync(`${folder}/node_modules`)
}
