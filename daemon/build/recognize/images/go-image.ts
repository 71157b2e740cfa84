import type { RecognizedGo } from '../../../domain/recognized-app.ts'
import type { BuildPlan } from '../../../ports.ts'
import { baseImage, type ImageSettings } from './image-settings.ts'
import { appFolder, appUser, ending, plainVariables, run, workFolder } from './instructions.ts'

const modules = '/go/pkg/mod'
const objects = '/root/.cache/go-build'

/**
 * Writes the Dockerfile of a Go app. The last stage starts from an empty image if the app runs the built program: it has
 * the sources too, because programs read templates and other files from their folder.
 */
export function goImage(plan: BuildPlan, app: RecognizedGo, images: ImageSettings): string[] {
  const base = baseImage(images.go, app.version)
  const { build, launch } = plan
  const work = workFolder(plan)
  const from = launch.root === '' ? '' : `${launch.root}/`
  const isOwnProgram = build?.[0] === 'go' && build.includes(launch.start[0] ?? '')
  const steps = [
    `FROM ${base} AS build`,
    'USER 0',
    'ENV CGO_ENABLED=0',
    `ENV GOMODCACHE=${modules}`,
    `ENV GOCACHE=${objects}`,
    `WORKDIR ${work}`,
    ...(app.needsSources
      ? []
      : [
          `COPY ${from}go.mod ${app.hasSums ? `${from}go.sum ` : ''}./`,
          run(['go', 'mod', 'download'], [modules]),
        ]),
    `COPY . ${appFolder}`,
    ...plainVariables(plan),
    ...(build === null ? [] : [run(build, [modules, objects])]),
    '',
  ]
  const last = isOwnProgram
    ? [
        'FROM scratch',
        'COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt',
      ]
    : [`FROM ${base}`, 'USER 0', 'ENV HOME=/tmp']
  return [
    ...steps,
    ...last,
    `WORKDIR ${work}`,
    `COPY --from=build --chown=${appUser} ${appFolder} ${appFolder}`,
    ...plainVariables(plan),
    ...ending(plan),
  ]
}
