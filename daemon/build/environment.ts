import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

export type Variables = Readonly<Record<string, string>>

/** What every process of ours carries, so that a later daemon finds those that a dead one left. */
export function markOf(cacheFolder: string): string {
  return `STRATA_BUILD_FOLDER=${cacheFolder}`
}

/** The two layers around a project's own variables in the environment of a command. */
export interface BaseEnvironment {
  /** The host's settings for npm, proxies and certificates, and what a build is used to; a project may say otherwise. */
  readonly defaults: Variables
  /** Programs, npm's download cache, our mark: these a project can't change. */
  readonly fixed: Variables
}

/** Nothing else of the host gets into a build. */
export function baseEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  cacheFolder: string,
): BaseEnvironment {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    const isOurs = inherited.test(name) || (/^npm_config_/i.test(name) && !ownSettings.test(name))
    if (value !== undefined && isOurs) found[name] = value
  }
  const userConfig =
    env.npm_config_userconfig ?? env.NPM_CONFIG_USERCONFIG ?? join(env.HOME ?? '/', '.npmrc')
  return {
    defaults: {
      ...found,
      ...(existsSync(userConfig) ? { npm_config_userconfig: userConfig } : {}),
      CI: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
      npm_config_progress: 'false',
    },
    fixed: {
      // The Node that the daemon runs with is the one that its apps are built for.
      PATH: [dirname(process.execPath), env.PATH ?? '/usr/local/bin:/usr/bin:/bin'].join(delimiter),
      npm_config_cache: join(cacheFolder, 'npm'),
      ...Object.fromEntries([markOf(cacheFolder).split(/=(.*)/s, 2)]),
    },
  }
}

/** The whole environment of a command whose private home folder is `home`. */
export function commandEnvironment(
  base: BaseEnvironment,
  variables: Variables,
  home: string,
): Variables {
  return { ...base.defaults, ...variables, ...base.fixed, HOME: home }
}

/**
 * The project's variables as its install scripts and its build see them: NODE_ENV is left out, since with `production` no
 * build tool would be installed; nor can they take the place of what finds programs.
 */
export function buildVariables(...layers: Variables[]): Variables {
  const merged = Object.assign({}, ...layers) as Record<string, string>
  return Object.fromEntries(
    Object.entries(merged).filter(([name]) => !/^(NODE_ENV|PATH|HOME)$/.test(name)),
  )
}

/**
 * What an install that is shared through the cache may see: the plain values of `deploy.env`, settings of npm, and those
 * that the project's `.npmrc` names. The others can't change what is installed, nor be left in it.
 */
export function installVariables(options: {
  plain: Variables
  all: Variables
  npmrc: string | undefined
}): Variables {
  const { plain, all, npmrc = '' } = options
  const named = new Set([...npmrc.matchAll(/\$\{([^}?]+)\??\}/g)].map(([, name]) => name))
  const entries = Object.entries(buildVariables(plain, all)).filter(
    ([name]) => Object.hasOwn(plain, name) || named.has(name) || /^npm_config_/i.test(name),
  )
  return Object.fromEntries(
    entries.filter(([name]) => !/^(PORT|STRATA_.*|npm_package_.*)$/.test(name)).sort(),
  )
}

const inherited =
  /^(LANG|LC_.*|TZ|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|(https?|all|no)_proxy)$/i

/** Where npm works and what it was started by is not the host's to say. */
const ownSettings =
  /^npm_config_(cache|prefix|local_prefix|global_prefix|userconfig|user_agent|init_module|node_gyp|global|location|include|omit|only|production|dry_run|workspaces?|audit|fund|progress|update_notifier)$/i
