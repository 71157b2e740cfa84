import { parse } from 'smol-toml'
import * as z from 'zod'
import { DaemonError } from '../../errors.ts'
import type { AppKind, Candidate } from './candidate.ts'
import { pythonStart } from './python-start.ts'
import { pythonVersionOf } from './python-versions.ts'

/** Python apps: packages from `requirements.txt` or from `project.dependencies` in `pyproject.toml`. */
export const pythonKind: AppKind = {
  kind: 'python',
  signs: 'requirements.txt or pyproject.toml',
  recognize(files) {
    const { texts, names } = files
    const list = texts.get('requirements.txt')
    const project = list === undefined ? readProject(texts.get('pyproject.toml')) : undefined
    if (list === undefined && project === undefined) return undefined
    const packages = packagesOf(
      list === undefined ? (project?.dependencies ?? []) : list.split('\n'),
    )
    const requires =
      project?.requiresPython ?? readProject(texts.get('pyproject.toml'))?.requiresPython
    const { version, required, source } = pythonVersionOf(files, requires)
    const from = list === undefined ? 'pyproject.toml' : 'requirements.txt'
    const guess = pythonStart(files, packages)
    const steps = {
      app: {
        kind: 'python' as const,
        requirements:
          list !== undefined
            ? ({ from: 'requirements.txt' } as const)
            : ({ from: 'pyproject.toml', list: project?.dependencies ?? [] } as const),
        needsSources: isTied(list ?? ''),
        hasSourceFolder: list === undefined && names.has('src'),
        version,
        requiredVersion: required,
        programs: ['python3'],
        site: null,
        reasons: [
          `a Python app, because there is ${from}`,
          ...(guess ? [guess.reason] : []),
          ...(source === null ? [] : [`Python ${version}, because of ${source}`]),
          ...ignoredFiles(names),
        ],
      },
      install: ['pip', 'install', '-r', 'requirements.txt'],
      build: null,
    }
    if (guess) return { ...steps, start: guess.start }
    return {
      ...steps,
      missing:
        'the app has no start command: no module has a Flask, FastAPI or Django app with its server among the packages',
      example: 'gunicorn app:app --bind 0.0.0.0:$PORT',
    }
  },
}

/** A start command that runs Python, in a folder without a list of packages. */
export const barePython: Candidate = {
  app: {
    kind: 'python',
    requirements: null,
    needsSources: false,
    hasSourceFolder: false,
    version: '3.12',
    requiredVersion: null,
    programs: ['python3'],
    site: null,
    reasons: ['a Python app without packages, because its start command runs Python'],
  },
  install: null,
  build: null,
  start: null,
}

interface PythonProject {
  readonly dependencies: readonly string[]
  readonly requiresPython: string | undefined
}

/** Reads `[project]` of `pyproject.toml`. Throws DaemonError `unprocessable` if the file lists packages elsewhere. */
function readProject(text: string | undefined): PythonProject | undefined {
  if (text === undefined) return undefined
  const { project, tool } = parseProject(text)
  if (project === undefined && tool?.poetry !== undefined) {
    throw new DaemonError(
      'unprocessable',
      'pyproject.toml lists its packages for Poetry alone: run poetry export -o requirements.txt, and commit that file',
    )
  }
  // A pyproject.toml without a project only configures tools.
  if (project === undefined) return undefined
  return {
    dependencies: project.dependencies ?? [],
    requiresPython: project['requires-python'],
  }
}

function parseProject(text: string): z.output<typeof document> {
  let parsed: unknown
  try {
    parsed = parse(text)
  } catch (error) {
    const [line] = (error as Error).message.split('\n')
    throw new DaemonError('unprocessable', `pyproject.toml is not TOML: ${line}`, { cause: error })
  }
  const result = document.safeParse(parsed)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new DaemonError(
    'unprocessable',
    `pyproject.toml: ${issue?.path.join('.')} is not valid (${issue?.message})`,
  )
}

const document = z.looseObject({
  project: z
    .looseObject({
      dependencies: z.array(z.string()).optional(),
      'requires-python': z.string().optional(),
    })
    .optional(),
  tool: z.looseObject({ poetry: z.unknown().optional() }).optional(),
})

/** Returns normalized package names, with `fastapi[standard]` as a name of its own. */
function packagesOf(lines: readonly string[]): Set<string> {
  return new Set(
    lines.flatMap((line) => {
      const [, name, extras] = /^\s*([A-Za-z0-9][\w.-]*)\s*(\[[^\]]*\])?/.exec(line) ?? []
      if (name === undefined) return []
      const normalized = name.toLowerCase().replace(/[-_.]+/g, '-')
      return extras === undefined ? [normalized] : [normalized, `${normalized}${extras}`]
    }),
  )
}

/** Returns whether a list of requirements refers to files of the repository. */
function isTied(list: string): boolean {
  return list.split('\n').some((line) => localRequirement.test(line.trim()))
}

const localRequirement =
  /^(?:-[rcef]\b|--(?:requirement|constraint|editable|find-links)\b|\.|file:|[\w.-]+\/|[\w.-]+\s*@\s*file:)/

function ignoredFiles(names: ReadonlySet<string>): string[] {
  const ignored = ['Pipfile.lock', 'poetry.lock', 'uv.lock'].filter((name) => names.has(name))
  return ignored.map((name) => `${name} has no effect: strata installs with pip`)
}
