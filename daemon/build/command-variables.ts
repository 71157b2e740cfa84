import { delimiter, dirname } from 'node:path'

export type Variables = Readonly<Record<string, string>>

/** Returns the environment variable that marks the daemon's build processes, so that the next daemon finds orphans. */
export function markOf(cacheFolder: string): string {
  return `STRATA_BUILD_FOLDER=${cacheFolder}`
}

/** Layers of a command's environment, below and above the project's variables. */
export interface BaseEnvironment {
  /**
   * Lower layer: npm settings, proxies and certificates of the host, and usual CI settings. Projects can override them.
   */
  readonly defaults: Variables
  /** Upper layer: PATH, npm's download cache and the daemon's mark. Projects cannot override them. */
  readonly fixed: Variables
}

/** Adds the builder's own settings to the settings of the host. */
export function baseEnvironment(options: {
  host: Variables
  path: string
  cacheFolder: string
  npmCache: string
}): BaseEnvironment {
  return {
    defaults: {
      ...options.host,
      CI: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
      npm_config_progress: 'false',
    },
    fixed: {
      PATH: options.path,
      npm_config_cache: options.npmCache,
      ...Object.fromEntries([markOf(options.cacheFolder).split(/=(.*)/s, 2)]),
    },
  }
}

/** Returns the PATH of builds, which use the Node version of the daemon: the same version runs the app. */
export function buildPath(env: Readonly<Record<string, string | undefined>>): string {
  return [dirname(process.execPath), env.PATH ?? '/usr/local/bin:/usr/bin:/bin'].join(delimiter)
}

/** Returns the full environment of a command. `home` is its private home folder. */
export function commandEnvironment(
  base: BaseEnvironment,
  variables: Variables,
  home: string,
): Variables {
  return { ...base.defaults, ...variables, ...base.fixed, HOME: home }
}

/**
 * Returns the project's variables for install scripts and builds. Drops PATH and HOME, which the daemon sets, and
 * NODE_ENV: with `production`, npm would not install build tools.
 */
export function buildVariables(...layers: Variables[]): Variables {
  const merged = Object.assign({}, ...layers) as Record<string, string>
  return Object.fromEntries(
    Object.entries(merged).filter(([name]) => !/^(NODE_ENV|PATH|HOME)$/.test(name)),
  )
}

/**
 * Returns the variables that a cached install may see: plain values of `deploy.env`, settings of npm and pip, and
 * the variables that the project's `.npmrc` or list of requirements names. The cache is shared, so it must not contain other secrets.
 */
export function installVariables(options: {
  plain: Variables
  all: Variables
  npmrc: string | undefined
}): Variables {
  const { plain, all, npmrc = '' } = options
  const named = new Set([...npmrc.matchAll(/\$\{([^}?]+)\??\}/g)].map(([, name]) => name))
  const entries = Object.entries(buildVariables(plain, all)).filter(
    ([name]) => Object.hasOwn(plain, name) || named.has(name) || /^(npm_config_|PIP_)/i.test(name),
  )
  return Object.fromEntries(
    entries.filter(([name]) => !/^(PORT|STRATA_.*|npm_package_.*)$/.test(name)).sort(),
  )
}
