import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type GroupEnd, runGroup } from '../spawn/run-group.ts'

export interface GitRun {
  readonly gitDir?: string
  readonly cwd?: string
  /** Value of GIT_ALLOW_PROTOCOL; default none. */
  readonly allow?: string
  readonly env?: Readonly<Record<string, string>>
  /** Git settings of this run. Passed in the environment, because they may contain secrets. */
  readonly config?: readonly (readonly [name: string, value: string])[]
  readonly input?: string
  readonly timeoutMs?: number
  readonly silenceMs?: number
  readonly signal?: AbortSignal | undefined
  /** Maximum size of stdout; default 1 MiB. A larger output is a failure. */
  readonly outputBytes?: number
}

export interface GitResult {
  readonly end: GroupEnd
  readonly stdout: Buffer
  /** The last 16 KiB. */
  readonly stderr: string
  /** True if git exited with code 0 and its output did not exceed `outputBytes`. */
  readonly isOk: boolean
}

export type GitProgram = (args: readonly string[], run: GitRun) => Promise<GitResult>

/** Returns the environment variable that marks the daemon's git processes, so that the next daemon finds orphans. */
export function markOf(folder: string): string {
  return `STRATA_GIT_FOLDER=${folder}`
}

/**
 * Creates a runner of `git` that ignores the host's git settings: no prompts, hooks, filters or credential helpers, and
 * only allowed protocols. It inherits proxies, certificates and ssh. Its own settings file is in `folder`.
 */
export function createGitProgram(options: {
  folder: string
  env: Readonly<Record<string, string | undefined>>
  timeoutMs: number
}): GitProgram {
  const configFile = join(options.folder, 'gitconfig')
  const hostEnv = inherited(options.env)
  let ready: Promise<void> | undefined
  return async (args, run) => {
    ready ??= writeConfig(options.folder, configFile).catch((error) => {
      ready = undefined
      throw error
    })
    await ready
    const stdout: Buffer[] = []
    const limit = run.outputBytes ?? 2 ** 20
    let size = 0
    let stderr = ''
    const end = await runGroup({
      command: 'git',
      args: run.gitDir === undefined ? args : [`--git-dir=${run.gitDir}`, ...args],
      cwd: run.cwd ?? options.folder,
      env: {
        ...hostEnv,
        ...environment(configFile, run.allow),
        ...configEnvironment(run.config ?? []),
        ...run.env,
        ...Object.fromEntries([splitOnce(markOf(options.folder))]),
      },
      timeoutMs: run.timeoutMs ?? options.timeoutMs,
      ...(run.silenceMs === undefined ? {} : { silenceMs: run.silenceMs }),
      graceMs: 1000,
      signal: run.signal,
      ...(run.input === undefined ? {} : { input: run.input }),
      onOutput: (chunk, stream) => {
        if (stream === 'stderr') {
          stderr = (stderr + Buffer.from(chunk).toString('utf8')).slice(-16_384)
          return
        }
        size += chunk.byteLength
        if (size <= limit) stdout.push(Buffer.from(chunk))
      },
    })
    const isOk = end.kind === 'exited' && end.code === 0 && size <= limit
    return { end, stdout: Buffer.concat(stdout), stderr, isOk }
  }
}

/** Use a settings file: `-c` does not reach programs that git starts. */
const config = `[core]
	hooksPath = /dev/null
	fsmonitor = false
	packedRefsTimeout = 5000
	filesRefLockTimeout = 2000
[safe]
	directory = *
[credential]
	helper =
[protocol]
	allow = never
[fetch]
	recurseSubmodules = false
[submodule]
	recurse = false
[maintenance]
	auto = false
[gc]
	autoDetach = false
	pruneExpire = 1.month.ago
[http]
	followRedirects = initial
	lowSpeedLimit = 1
	lowSpeedTime = 60
[advice]
	defaultBranchName = false
`

async function writeConfig(folder: string, file: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === config) return
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const staged = `${file}.${process.pid}.tmp`
  await writeFile(staged, config, { mode: 0o600, flush: true })
  await rename(staged, file)
}

const inheritedNames =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|SSH_AUTH_SOCK|SSL_CERT_FILE|SSL_CERT_DIR|GIT_SSL_CAINFO|GIT_SSL_CAPATH|(https?|all|no)_proxy)$/i

function inherited(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && inheritedNames.test(name)) found[name] = value
  }
  return found
}

function environment(configFile: string, allow: string | undefined): Record<string, string> {
  return {
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: configFile,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: allow ?? '',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    // Keeps ssh from opening a window to ask for a password.
    GIT_SSH_VARIANT: 'ssh',
    SSH_ASKPASS_REQUIRE: 'never',
  }
}

function configEnvironment(entries: NonNullable<GitRun['config']>): Record<string, string> {
  const pairs = entries.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  return { GIT_CONFIG_COUNT: String(entries.length), ...Object.fromEntries(pairs) }
}

function splitOnce(pair: string): [string, string] {
  const at = pair.indexOf('=')
  return [pair.slice(0, at), pair.slice(at + 1)]
}
