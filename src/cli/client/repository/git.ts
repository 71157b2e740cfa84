import { execFile } from 'node:child_process'
import { ClientError } from '../errors/client-error.ts'

export interface GitAnswer {
  readonly code: number
  /** Standard output without the final line break. */
  readonly stdout: string
  readonly stderr: string
}

/** Runs git in a folder, without prompts and without optional locks. Throws ClientError if git is not installed. */
export function git(folder: string, args: readonly string[]): Promise<GitAnswer> {
  const env = {
    ...withoutTokens(process.env),
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
  }
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      args,
      { cwd: folder, env, timeout: 20_000, maxBuffer: 2 ** 24 },
      (error, out, err) => {
        if (error && 'code' in error && error.code === 'ENOENT') return reject(gitMissing())
        const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0
        resolve({ code, stdout: out.trimEnd(), stderr: err.trimEnd() })
      },
    )
  })
}

/** Hooks and helper programs that git starts need no token of a daemon. */
function withoutTokens(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.entries(env).filter(([name]) => !/^(STRATA_TOKEN$|SERVICE_)/.test(name))
  return Object.fromEntries(others)
}

function gitMissing(): ClientError {
  return new ClientError('git is not on the PATH', { next: ['install git 2.30 or later'] })
}
