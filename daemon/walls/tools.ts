import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Programs of util-linux and coreutils, by absolute path. */
export interface Tools {
  readonly nsenter: string
  readonly setpriv: string
  readonly unshare: string
  readonly mount: string
  readonly prlimit: string
  readonly env: string
  readonly cat: string
}

/** Root's programs. The daemon's PATH may contain folders of other users. */
const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin']
const names = ['nsenter', 'setpriv', 'unshare', 'mount', 'prlimit', 'env', 'cat'] as const
const timeoutMs = 10_000

/** Returns the tools, or the names of the missing ones. */
export function findTools(): Tools | { readonly missing: readonly string[] } {
  const found = names.map((name) => [name, pathOf(name)] as const)
  const missing = found.filter(([, path]) => path === undefined).map(([name]) => name)
  return missing.length > 0 ? { missing } : (Object.fromEntries(found) as unknown as Tools)
}

/** Runs a tool. Throws an error with the last line of its error output. */
export async function runTool(path: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(path, [...args], {
      timeout: timeoutMs,
      env: { PATH: folders.join(':'), LC_ALL: 'C' },
      cwd: '/',
    })
    return stdout
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    throw new Error(stderr.trim().split('\n').at(-1) || message, { cause: error })
  }
}

function pathOf(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
