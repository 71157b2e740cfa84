import { intersects, satisfies, validRange } from 'semver'
import type { AppFiles } from './app-files.ts'

/** Versions of Node with long-term support, in order of preference. */
const supported = ['22', '24', '20', '18']

/** Returns the text that asks for a version of Node, and the file that has it. */
export function askedNode({ texts, manifest }: Pick<AppFiles, 'texts' | 'manifest'>) {
  const engines = manifest?.all.engines
  const range =
    typeof engines === 'object' && engines !== null ? Reflect.get(engines, 'node') : undefined
  if (typeof range === 'string') return { range, source: 'engines in package.json' }
  for (const source of ['.nvmrc', '.node-version']) {
    const text = texts.get(source)?.trim().replace(/^v/, '')
    if (text !== undefined && text !== '') return { range: text, source }
  }
  return undefined
}

/** Returns the major version of an image that satisfies a range. Ranges that are no versions, such as `lts/*`, fit all. */
export function nodeMajor(range: string | undefined): string {
  const valid = range === undefined ? null : validRange(range)
  if (valid === null) return supported[0] ?? '22'
  const found = supported.find((major) => intersects(`${major}.x`, valid))
  return found ?? /\d+/.exec(valid)?.[0] ?? '22'
}

/** Returns whether the Node of a host is in a range. Ranges that are no versions, such as `lts/*`, fit all. */
export function isNodeInRange(version: string, range: string): boolean {
  const valid = validRange(range)
  return valid === null || satisfies(version, valid)
}
