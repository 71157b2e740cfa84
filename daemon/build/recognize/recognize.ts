import type { RecognizedApp } from '../../domain/recognized-app.ts'
import type { LaunchProcess } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { DeploySection } from '../strata-json-deploy.ts'
import type { AppFiles } from './app-files.ts'
import type { AppKind, Candidate, RecognizeOptions, Start, Unstartable } from './candidate.ts'
import { dockerfileKind } from './dockerfile-kind.ts'
import { type GivenStart, givenStart, ownOf } from './given-start.ts'
import { goKind, goStart } from './go-kind.ts'
import { withLocalProgram } from './local-program.ts'
import { bareNode, nodeKind } from './node-kind.ts'
import { barePython, pythonKind } from './python-kind.ts'
import { staticKind } from './static-kind.ts'

/** All kinds of apps. Earlier kinds take precedence. */
export const appKinds: readonly AppKind[] = [
  dockerfileKind,
  nodeKind,
  pythonKind,
  goKind,
  staticKind,
]

/** A recognized app with its steps. `start` is null for a site and for the own command of an image. */
export interface Recognition extends Candidate {
  /** Variables that the start command sets before its program. */
  readonly env: Readonly<Record<string, string>>
  /** Processes beside the web process. */
  readonly processes: readonly LaunchProcess[]
}

/**
 * Recognizes an app and its steps. Precedence: `strata.json`, a Dockerfile (docker runtime), Procfile, conventions.
 * Throws DaemonError `unprocessable` with the searched files and the lines to add if the app has no start command.
 */
export function recognize(files: AppFiles, options: RecognizeOptions): Recognition {
  const { section } = options
  const given = section.static === undefined ? givenStart(files, section) : noStart(section)
  const found = new Map(appKinds.map(({ kind, recognize }) => [kind, recognize(files, options)]))
  const chosen = choose(found, given, section.static !== undefined)
  if (chosen === undefined) throw nothingRecognized(files)
  const isImage = chosen.app.kind === 'dockerfile'
  const usesGiven = given.start !== null && (!isImage || section.start !== undefined)
  const completed = usesGiven && given.start ? withStart(chosen, given.start, files) : chosen
  if (!isStartable(completed)) throw withLines(completed.missing, completed.example)
  const { app, install, build, start } = completed
  return {
    app: {
      ...app,
      reasons: [
        ...app.reasons,
        ...(isImage && !usesGiven ? [] : given.reasons),
        ...ignoredDockerfile(files, options, app),
      ],
    },
    install: isImage ? null : install,
    build: isImage || section.build === undefined ? build : nonEmpty(section.build),
    start,
    env: usesGiven ? given.env : {},
    // A Dockerfile overrides the Procfile.
    processes: isImage ? ownOf(section) : given.processes.map((each) => withProgram(each, files)),
  }
}

function noStart(section: DeploySection): GivenStart {
  return { start: null, env: {}, processes: ownOf(section), reasons: [] }
}

function withProgram(process: LaunchProcess, files: AppFiles): LaunchProcess {
  return { ...process, start: withLocalProgram(process.start, files) }
}

type Found = ReadonlyMap<RecognizedApp['kind'], Candidate | Unstartable | undefined>

/**
 * Chooses the kind of an app. With a start command, its program may show the kind, and static files have no part in it.
 */
function choose(found: Found, given: GivenStart, isSite: boolean) {
  if (isSite) return found.get('node') ?? found.get('static')
  const image = found.get('dockerfile')
  if (image) return image
  const kinds = (['node', 'python', 'go'] as const).flatMap((kind) => found.get(kind) ?? [])
  if (given.start === null) {
    const all = [...kinds, found.get('static')].filter((each) => each !== undefined)
    return all.find(isStartable) ?? all[0]
  }
  const [program = ''] = given.start.argv
  const kind = kindOfProgram(program)
  return kinds.find(({ app }) => app.kind === kind) ?? bareApp(kind) ?? kinds[0] ?? bareCommand
}

/** Returns the kind of apps that a program starts. */
function kindOfProgram(program: string): 'node' | 'python' | undefined {
  const name = program.slice(program.lastIndexOf('/') + 1)
  if (/^(node|npm|npx|pnpm|yarn)$/.test(name)) return 'node'
  const isPython =
    /^(python[\d.]*|gunicorn|uvicorn|hypercorn|flask|fastapi|daphne|waitress-serve)$/.test(name)
  return isPython ? 'python' : undefined
}

function bareApp(kind: 'node' | 'python' | undefined): Candidate | undefined {
  if (kind === undefined) return undefined
  return kind === 'node' ? bareNode : barePython
}

/** An app with a start command and no other sign. */
const bareCommand: Candidate = {
  app: {
    kind: 'command',
    dockerfile: null,
    reasons: ['a program of the host, because no kind of app is recognized'],
    programs: [],
    site: null,
  },
  install: null,
  build: null,
  start: null,
}

function withStart(chosen: Candidate | Unstartable, start: Start, files: AppFiles): Candidate {
  const { app, install, build } = chosen
  const own = { app: { ...app, site: null }, install, build }
  if (app.kind === 'go') return { ...own, ...goStart(start, chosen, files) }
  return { ...own, start: { ...start, argv: withLocalProgram(start.argv, files) } }
}

function isStartable(chosen: Candidate | Unstartable): chosen is Candidate {
  return !('missing' in chosen)
}

function nonEmpty(argv: readonly string[]): readonly string[] | null {
  return argv.length > 0 ? argv : null
}

function ignoredDockerfile(
  { names }: AppFiles,
  { runtime, section }: RecognizeOptions,
  { kind }: RecognizedApp,
): string[] {
  const name = section.dockerfile ?? (names.has('Dockerfile') ? 'Dockerfile' : undefined)
  if (name === undefined || kind === 'dockerfile') return []
  const why = runtime === 'docker' ? 'deploy.static is set' : 'this daemon runs apps as processes'
  return [`${name} has no effect, because ${why}`]
}

function nothingRecognized({ names, root }: AppFiles): DaemonError {
  const place = root === '' ? 'the repository' : root
  if (names.has('Dockerfile')) {
    return withLines(
      `${place} has only a Dockerfile, and this daemon runs apps as processes: set SERVICE_RUNTIME=docker, or name a start command`,
      'node server.js',
    )
  }
  const signs = [...appKinds.map(({ signs }) => signs), 'Procfile'].join(', ')
  return withLines(`no kind of app is recognized in ${place}: expected ${signs}`, 'node server.js')
}

/** Returns the error for an app without a start command. */
function withLines(sentence: string, example: string): DaemonError {
  const lines = ['{', `  "deploy": { "start": ${JSON.stringify(example)} }`, '}']
  return new DaemonError(
    'unprocessable',
    `${sentence}. Add these lines to strata.json, with your own command:\n${lines.join('\n')}`,
  )
}
