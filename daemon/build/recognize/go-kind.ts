import type { AppFiles } from './app-files.ts'
import { type AppKind, type Candidate, plain, type Start, type Unstartable } from './candidate.ts'

/** Path of the program that the daemon builds, relative to the folder of the app. */
export const goProgram = '.strata/app'

/** Go programs with modules: one `package main` in the folder or below `cmd`. */
export const goKind: AppKind = {
  kind: 'go',
  signs: 'go.mod',
  recognize({ texts, names, goPrograms }) {
    const text = texts.get('go.mod')
    if (text === undefined) return undefined
    const [, version] = /^go\s+(\d+\.\d+)/m.exec(text) ?? []
    const [first, ...others] = goPrograms
    const target = goPrograms.includes('.') ? '.' : first
    const app = {
      kind: 'go' as const,
      version: version ?? newestGo,
      hasSums: names.has('go.sum'),
      needsSources: names.has('vendor') || names.has('go.work') || /=>\s*\.{0,2}\//.test(text),
      reasons: [
        `a Go program${target === undefined || target === '.' ? '' : ` in ${target}`}, because there is go.mod`,
      ],
      programs: ['go'],
      site: null,
    }
    const isClear = target === '.' || others.length === 0
    const build = target === undefined ? null : ['go', 'build', '-o', goProgram, target]
    if (target !== undefined && isClear)
      return { app, install: null, build, start: plain(goProgram) }
    return {
      app,
      install: null,
      build: null,
      missing:
        target === undefined
          ? 'no folder has a Go program: expected package main in the folder of go.mod or in one folder below cmd'
          : `several folders have a Go program: ${goPrograms.join(', ')}`,
      example: `go run ${target ?? './cmd/web'}`,
    }
  },
}

/** Version of the image for a go.mod without a version. */
const newestGo = '1.24'

/**
 * Returns the build and the start of a Go app whose start command is given. A path is where the program is expected, as
 * in `bin/web`; a name is the program of a folder below `cmd` or of the module, as in `web`.
 */
export function goStart(
  start: Start,
  { build }: Candidate | Unstartable,
  { goPrograms, texts }: Pick<AppFiles, 'goPrograms' | 'texts'>,
): { readonly build: readonly string[] | null; readonly start: Start } {
  const [program = '', ...rest] = start.argv
  if (program === 'go') return { build: null, start }
  const name = program.slice(program.lastIndexOf('/') + 1)
  const own = `./cmd/${name}`
  const target = goPrograms.includes(own) ? own : build?.at(-1)
  if (target === undefined || program.startsWith('/')) return { build, start }
  const [, module = ''] = /^module\s+(?:\S*\/)?([^\s/]+)/m.exec(texts.get('go.mod') ?? '') ?? []
  if (program.includes('/')) return { build: ['go', 'build', '-o', program, target], start }
  if (target !== own && name !== module) return { build, start }
  return {
    build: ['go', 'build', '-o', goProgram, target],
    start: { ...start, argv: [goProgram, ...rest] },
  }
}
