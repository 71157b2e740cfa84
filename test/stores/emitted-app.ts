import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import type { StoreKind } from '../../src/generator/model/store-kinds.ts'
import { strata } from '../support/generator/strata.ts'

/** Links the packages installed in this repository into the application in `root`. */
export const packages = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** The command that starts an application built by `emitApp`. */
export const built = [process.execPath, '--enable-source-maps', 'dist/main.js'] as const

/**
 * Creates the project `shop` in a folder with the built command line, links this repository's packages into it and
 * builds it. Each feature is a command line: `Book title:string`. Returns the root of the project.
 */
export async function emitApp(
  folder: string,
  database: StoreKind,
  features: readonly string[],
): Promise<string> {
  const root = await initApp(folder, database)
  for (const line of features) await runStrata(root, ['feature', ...line.split(' ')])
  symlinkSync(packages, join(root, 'node_modules'))
  await npm(root, ['run', 'build'])
  return root
}

/** Creates the project `shop` without features in a folder. Returns its root. */
export async function initApp(folder: string, database: StoreKind): Promise<string> {
  mkdirSync(folder, { recursive: true })
  await runStrata(folder, ['init', 'shop', '--database', database, '--no-install', '--no-git'])
  return join(folder, 'shop')
}

/** The outcome of the application's own tests, as lists of titles. */
export interface OwnTests {
  readonly passed: readonly string[]
  readonly skipped: readonly string[]
  readonly failed: readonly string[]
}

/**
 * Runs the application's script `check` or `test` with additional Vitest options. Throws the output if the script
 * fails.
 */
export async function runOwnTests(
  root: string,
  script: 'check' | 'test',
  env: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<OwnTests> {
  const report = join(root, 'dist/own-tests.json')
  const vitest = ['--reporter=json', `--outputFile=${report}`, ...options]
  await npm(root, ['run', script, '--', ...vitest], env)
  const { testResults } = reportShape.parse(JSON.parse(readFileSync(report, 'utf8')))
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const titles = (...statuses: readonly string[]) =>
    tests.filter(({ status }) => statuses.includes(status)).map(({ fullName }) => fullName)
  return {
    passed: titles('passed'),
    skipped: titles('skipped', 'pending', 'todo'),
    failed: titles('failed'),
  }
}

const reportShape = z.object({
  testResults: z.array(
    z.object({ assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })) }),
  ),
})

/** Runs npm in a folder, without the npm settings in this process's environment. */
export function npm(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { PATH = '', HOME = '' } = process.env
  return new Promise((resolve, reject) => {
    execFile('npm', args, { cwd, env: { PATH, HOME, ...env } }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(`npm ${args.join(' ')} failed:\n${stdout}\n${stderr}`))
    })
  })
}

/** Runs the built `strata` in a folder. Throws its standard error if it fails. */
export async function runStrata(cwd: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await strata(cwd, args)
  if (code !== 0) throw new Error(`strata ${args.join(' ')} ended with ${code}: ${stderr}`)
}
