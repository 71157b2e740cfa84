import type { RecognizedPython } from '../../../domain/recognized-app.ts'
import type { BuildPlan } from '../../../ports.ts'
import { baseImage, type ImageSettings } from './image-settings.ts'
import { appFolder, appUser, ending, plainVariables, run, workFolder } from './instructions.ts'

/** Writes the Dockerfile of a Python app: packages in a virtual environment, before the sources. */
export function pythonImage(
  plan: BuildPlan,
  app: RecognizedPython,
  images: ImageSettings,
): string[] {
  const { root } = plan.launch
  const { requirements } = app
  const copyAll = `COPY --chown=${appUser} . ${appFolder}`
  const install = (...args: string[]) => run(['pip', 'install', ...args], ['/root/.cache/pip'])
  const fromFile = install('-r', 'requirements.txt')
  const list = `COPY ${root === '' ? '' : `${root}/`}requirements.txt ./`
  const packages =
    requirements === null
      ? [copyAll]
      : requirements.from === 'pyproject.toml'
        ? [...(requirements.list.length > 0 ? [install('--', ...requirements.list)] : []), copyAll]
        : app.needsSources
          ? [copyAll, fromFile]
          : [list, fromFile, copyAll]
  return [
    `FROM ${baseImage(images.python, app.version)}`,
    'USER 0',
    run(['python3', '-m', 'venv', '/venv']),
    'ENV PATH=/venv/bin:$PATH',
    'ENV PIP_DISABLE_PIP_VERSION_CHECK=1',
    `WORKDIR ${workFolder(plan)}`,
    ...packages,
    ...plainVariables(plan),
    ...(plan.build === null ? [] : [run(plan.build)]),
    ...ending(plan),
  ]
}
