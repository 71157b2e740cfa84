import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach } from 'vitest'
import { strata } from './strata.ts'

/** Creates a folder that is removed after the test. */
export function temporaryFolder(): string {
  return fresh(afterTest)
}

/** Creates a project with these features, given as command lines: `['Book title:string']`. Returns its root. */
export async function project(...features: readonly string[]): Promise<string> {
  const root = join(temporaryFolder(), 'shop')
  cpSync(await sharedProject(...features), root, { recursive: true })
  return root
}

/** Returns a project that tests must not change. It is created once per test file, by the command line. */
export function sharedProject(...features: readonly string[]): Promise<string> {
  const key = features.join('\n')
  const made = shared.get(key) ?? make(features)
  shared.set(key, made)
  return made
}

/** Runs `strata` and returns its output. Throws if it fails. */
export async function done(cwd: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await strata(cwd, args)
  if (code !== 0) throw new Error(`strata ${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}

/** Adds a feature, given as a command line. */
export function addFeature(root: string, line: string): Promise<string> {
  return done(root, 'feature', ...line.split(' '))
}

const afterTest: string[] = []
const afterFile: string[] = []
const shared = new Map<string, Promise<string>>()

async function make(features: readonly string[]): Promise<string> {
  const folder = fresh(afterFile)
  await done(folder, 'init', 'shop', '--no-install', '--no-git')
  for (const line of features) await addFeature(join(folder, 'shop'), line)
  return join(folder, 'shop')
}

function fresh(list: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'strata-cli-'))
  list.push(folder)
  return folder
}

function removeAll(list: string[]): void {
  for (const folder of list.splice(0)) rmSync(folder, { recursive: true, force: true })
}

afterEach(() => removeAll(afterTest))
afterAll(() => removeAll(afterFile))
