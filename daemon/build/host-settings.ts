import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Variables } from './command-variables.ts'

export interface HostOptions {
  /** The daemon's environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Private folder of the build, which receives copies of files that only the daemon's user can read. */
  readonly home: string
  /** True if builds run as another user than the daemon. */
  readonly isOtherUser: boolean
  /** Passes the operator's credentials of npm registries on. */
  readonly sharesNpmAuth: boolean
}

/**
 * Returns the operator's settings of npm, proxies and certificates, as variables for a build. For another user, writes
 * the operator's `.npmrc` without its credentials, and certificates, into the home folder.
 */
export async function shareHostSettings(options: HostOptions): Promise<Variables> {
  const { env, isOtherUser, sharesNpmAuth } = options
  const isShared = (name: string) => !isOtherUser || sharesNpmAuth || !isCredential(name)
  const variables = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      const setting = /^npm_config_(.+)$/is.exec(name)?.[1]
      const isSelected =
        setting === undefined
          ? inherited.test(name) &&
            !(isOtherUser && name === 'TMPDIR') &&
            (isShared(':_auth') || !(index.test(name) && hasPassword.test(value ?? '')))
          : !excluded.test(setting) && isShared(setting)
      return value !== undefined && isSelected ? [[name, value]] : []
    }),
  )
  const userConfig = userConfigOf(env)
  if (!isOtherUser) {
    return existsSync(userConfig) ? { ...variables, npm_config_userconfig: userConfig } : variables
  }
  const text = await readFile(userConfig, 'utf8').catch(() => '')
  const lines = await Promise.all(
    npmrcLines(text, env)
      .filter(({ name }) => !excluded.test(name.replaceAll('-', '_')) && isShared(name))
      .map(async ({ name, value }) =>
        name === 'cafile'
          ? `cafile=${await copyCertificate(value, 'npmrc', options)}`
          : `${name}=${value}`,
      ),
  )
  if (lines.length > 0) {
    await writeFile(join(options.home, '.npmrc'), `${lines.join('\n')}\n`, { mode: 0o600 })
  }
  const certificates = Object.entries(variables).filter(([name]) => certificateFile.test(name))
  for (const [name, path] of certificates) {
    variables[name] = await copyCertificate(path, name, options)
  }
  return variables
}

/** Returns whether a setting of npm is a credential: a setting of one registry follows its URL and a colon. */
function isCredential(name: string): boolean {
  const setting = name.slice(name.lastIndexOf(':') + 1).replaceAll('-', '_')
  return /^(_auth|_authtoken|_password|username|password|email|cert|key|certfile|keyfile|otp)$/i.test(
    setting,
  )
}

/** Parses lines of the form `name = value`, and replaces `${NAME}` by the daemon's variables. */
function npmrcLines(
  text: string,
  env: HostOptions['env'],
): { readonly name: string; readonly value: string }[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined || value === undefined) return []
    return [{ name, value: value.replace(/\$\{([^}?]+)\??\}/g, (_, key) => env[key] ?? '') }]
  })
}

/** Copies a certificate file into the home folder and returns the new path; the old one if the file is unreadable. */
async function copyCertificate(path: string, name: string, { home }: HostOptions): Promise<string> {
  const copy = join(home, `${name.toLowerCase()}.pem`)
  try {
    await writeFile(copy, await readFile(path), { mode: 0o600 })
    return copy
  } catch {
    return path
  }
}

function userConfigOf(env: HostOptions['env']): string {
  return env.npm_config_userconfig ?? env.NPM_CONFIG_USERCONFIG ?? join(env.HOME ?? '/', '.npmrc')
}

/** Addresses of package indexes, which may have a password. */
const index = /^(PIP_|GO)/
const hasPassword = /\/\/[^/\s@]+@/
const inherited =
  /^(LANG|LC_.*|TZ|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|PIP_(INDEX_URL|EXTRA_INDEX_URL|CERT|TRUSTED_HOST|CONFIG_FILE|DEFAULT_TIMEOUT|RETRIES)|GO(PROXY|SUMDB|NOSUMDB|NOPROXY|PRIVATE|INSECURE|TOOLCHAIN)|(https?|all|no)_proxy)$/i
const certificateFile =
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|REQUESTS_CA_BUNDLE|PIP_CERT|npm_config_cafile)$/i
/** Settings of npm that would change what a build installs, or where. */
const excluded =
  /^(cache|prefix|local_prefix|global_prefix|userconfig|user_agent|init_module|node_gyp|global|location|include|omit|only|production|dry_run|workspaces?|audit|fund|progress|update_notifier)$/i
