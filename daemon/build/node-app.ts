import { splitCommandLine } from './command-line.ts'
import type { Lock, Manifest } from './manifest.ts'

/** How a Node app is installed, built and started when nothing is said about it. */
export interface NodeApp {
  readonly install: readonly string[] | null
  readonly build: readonly string[] | null
  /** Undefined when there is nothing that could be started. */
  readonly start: readonly string[] | undefined
}

/** Scripts of a project's own that npm runs with an install, in their order. */
export const installScripts = [
  'preinstall',
  'install',
  'postinstall',
  'preprepare',
  'prepare',
  'postprepare',
] as const

export function nodeApp(facts: {
  manifest: Manifest | undefined
  lock: Lock | undefined
  hasServerFile: boolean
  /** One of the workspaces of a folder above: `lock` is the one there. */
  isWorkspace: boolean
}): NodeApp {
  const { manifest, lock, hasServerFile, isWorkspace } = facts
  const scripts = manifest?.scripts ?? {}
  const hasScript = (name: string) => (scripts[name] ?? '').trim() !== ''
  const isInstalled = manifest?.hasDependencies || isWorkspace || installScripts.some(hasScript)
  return {
    install: !isInstalled ? null : lock ? ['npm', 'ci'] : ['npm', 'install'],
    build: hasScript('build') ? ['npm', 'run', 'build'] : null,
    start: hasScript('start')
      ? startOf(scripts, isWorkspace ? undefined : lock)
      : hasServerFile
        ? ['node', 'server.js']
        : undefined,
  }
}

/**
 * A program that a project's packages bring, by its path, where it is known to: `npm` and a shell are not needed then,
 * which is 0.3 s at each wake.
 */
export function localProgram(
  argv: readonly string[],
  lock: Lock | undefined,
): readonly string[] | undefined {
  const [program = '', ...rest] = argv
  return binsOf(lock).has(program) ? [`node_modules/.bin/${program}`, ...rest] : undefined
}

function startOf(
  scripts: Readonly<Record<string, string>>,
  lock: Lock | undefined,
): readonly string[] {
  const byNpm = ['npm', 'start']
  if (scripts.prestart !== undefined || scripts.poststart !== undefined) return byNpm
  const line = splitCommandLine(scripts.start ?? '')
  if (line.kind !== 'words') return byNpm
  return line.argv[0] === 'node' ? line.argv : (localProgram(line.argv, lock) ?? byNpm)
}

/** Programs of the packages at the top of `node_modules` that a release keeps. */
function binsOf(lock: Lock | undefined): Set<string> {
  const names = Object.entries(lock?.packages ?? {}).flatMap(([path, { bin, dev }]) => {
    const name = /^node_modules\/(?:@[^/]+\/)?([^/]+)$/.exec(path)?.[1]
    if (name === undefined || bin === undefined || dev) return []
    return typeof bin === 'string' ? [name] : Object.keys(bin)
  })
  return new Set(names)
}
