import type { Site } from '../../../domain/recognized-app.ts'
import type { BuildPlan } from '../../../ports.ts'
import { baseImage, type ImageSettings } from './image-settings.ts'
import { ending, workFolder } from './instructions.ts'

const siteFolder = '/srv'
const settings = '/etc/strata.Caddyfile'
const server = '/usr/local/bin/strata-caddy'

/** Writes the Dockerfile of static files, with the same rules as the file server of the process runtime. */
export function staticImage(plan: BuildPlan, site: Site, images: ImageSettings): string[] {
  return siteStage(plan, site, images, null)
}

/** Writes the stage that serves a site: from the checkout, or from the folder that stage `from` has built. */
export function siteStage(
  plan: BuildPlan,
  site: Site,
  images: ImageSettings,
  from: string | null,
): string[] {
  const copy =
    from === null
      ? `COPY ${[plan.launch.root, site.folder].filter((part) => part !== '').join('/') || '.'} ${siteFolder}`
      : `COPY --from=${from} ${[workFolder(plan), site.folder].filter((part) => part !== '').join('/')} ${siteFolder}`
  const start = [server, 'run', '--config', settings, '--adapter', 'caddyfile']
  return [
    `FROM ${baseImage(images.static, '2')}`,
    'USER 0',
    // The copy has no file capability: a container without capabilities can't start a program that has one.
    `RUN ["cp", "/usr/bin/caddy", "${server}"]`,
    `RUN printf '%s\\n' ${caddyfile(site)
      .map((line) => `'${line}'`)
      .join(' ')} > ${settings}`,
    'ENV HOME=/tmp',
    `WORKDIR ${siteFolder}`,
    copy,
    ...ending({
      ...plan,
      launch: { ...plan.launch, start, startHasVariables: false },
    }),
  ]
}

/** Returns the settings of Caddy, without quotes: they are arguments of printf. */
function caddyfile({ isSpa }: Site): string[] {
  return [
    '{',
    'admin off',
    'auto_https off',
    '}',
    ':{$PORT:8080} {',
    `root * ${siteFolder}`,
    '@hidden path */.* /strata.json',
    'error @hidden 404',
    `try_files {path} {path}.html${isSpa ? ' {path}/index.html /index.html' : ''}`,
    'file_server',
    'handle_errors {',
    'rewrite * /{err.status_code}.html',
    'file_server',
    '}',
    '}',
  ]
}
