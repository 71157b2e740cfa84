import { spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { installCommand, installedJars } from '../servers/installed.ts'
import { runToEnd } from '../servers/program.ts'
import type { Skipped } from '../servers/test-server.ts'

/** ScriptDom, Microsoft's T-SQL parser. It checks syntax only, not tables and columns. */
export interface Parser {
  /** Returns the error of each statement that the parser refuses. */
  readonly refusals: (statements: readonly string[]) => Promise<readonly Refusal[]>
  readonly stop: () => void
}

export interface Refusal {
  readonly statement: string
  readonly reason: string
}

const source = fileURLToPath(new URL('./Parse.cs', import.meta.url))

/** Compiles the program that calls the parser. Returns the reason if the parser is not installed. */
export async function startParser(): Promise<Parser | Skipped> {
  const installed = installedJars('sqlserver')
  if (installed === undefined) {
    return { skipped: `no parser of T-SQL is installed: ${installCommand('sqlserver')}` }
  }
  const folder = mkdtempSync(join(tmpdir(), 'strata-tsql-'))
  const libraries = readdirSync(join(installed, 'lib'))
  for (const name of libraries) copyFileSync(join(installed, 'lib', name), join(folder, name))
  const references = libraries.map((name) => `-r:${name}`)
  await runToEnd({ program: 'mcs', args: [...references, '-out:Parse.exe', source], folder })
  return {
    async refusals(statements) {
      const lines = await linesOf(folder, statements)
      if (lines.pop() !== String(statements.length))
        throw new Error('the parser has not read all statements')
      return lines.map((line) => {
        const [at, reason = ''] = line.split('\t')
        return { statement: statements[Number(at)] ?? '', reason }
      })
    },
    stop: () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function linesOf(folder: string, statements: readonly string[]): Promise<string[]> {
  const child = spawn('mono', ['Parse.exe'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(statements.map((statement) => `${statement}\0`).join(''))
  return (await text(child.stdout)).trimEnd().split('\n')
}
