import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { program, type Run } from '../generator/strata.ts'

export interface RunOptions {
  /** The whole of standard input. */
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs the built `strata` with a private home folder. */
export interface TestUser {
  readonly contextsFile: string
  readonly env: Readonly<Record<string, string>>
  /** Runs strata in a folder until it exits. */
  strata(cwd: string, args: readonly string[], options?: RunOptions): Promise<Run>
  /** Starts strata in a folder without waiting for its exit. */
  start(cwd: string, args: readonly string[], options?: RunOptions): Started
}

export interface Started {
  readonly process: ChildProcess
  stdout(): string
  stderr(): string
  ended(): Promise<Run>
}

export function createUser(home: string): TestUser {
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    NO_COLOR: '',
    FORCE_COLOR: '',
    STRATA_CONTEXT: '',
    STRATA_HOST: '',
    STRATA_TOKEN: '',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    // Stops the search for a repository here: git could find one above the temporary folder.
    GIT_CEILING_DIRECTORIES: home,
  }
  mkdirSync(home, { recursive: true })

  function start(cwd: string, args: readonly string[], options: RunOptions = {}): Started {
    const child = spawn(process.execPath, [program, ...args], {
      cwd,
      env: { ...process.env, ...env, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        texts[name] += text
      })
    }
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
    const closed = once(child, 'close')
    return {
      process: child,
      stdout: () => texts.stdout,
      stderr: () => texts.stderr,
      async ended() {
        await closed
        return { code: child.exitCode, ...texts }
      },
    }
  }

  return {
    contextsFile: join(home, 'config/strata/contexts.json'),
    env,
    start,
    strata: (cwd, args, options) => start(cwd, args, options).ended(),
  }
}
