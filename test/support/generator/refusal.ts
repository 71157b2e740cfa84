import { expect } from 'vitest'
import { hashTree } from '../tree.ts'
import { type RunOptions, strata } from './strata.ts'

/**
 * Runs a command line in `cwd` that must be refused with the exit code `code`: one lower-case sentence on stderr,
 * nothing on stdout, no stack, and no changed byte in `cwd`. Returns the lines of stderr.
 */
export async function refused(
  cwd: string,
  args: readonly string[],
  code: number,
  options?: RunOptions,
): Promise<string[]> {
  const before = hashTree(cwd)
  const run = await strata(cwd, args, options)
  expect({ code: run.code, stdout: run.stdout }, run.stderr).toEqual({ code, stdout: '' })
  // Lower case, except for a name that the person entered.
  const [, word = ''] = /^error: (\S+)/.exec(run.stderr) ?? []
  if (!args.includes(word)) expect(word).toMatch(/^[^A-Z]/)
  expect(run.stderr).not.toMatch(/^\s+at .*\d:\d|fault of strata itself/m)
  expect(hashTree(cwd)).toBe(before)
  return run.stderr.trimEnd().split('\n')
}

/** Returns the line above the carets, with « » around the marked part; undefined without carets. */
export function marked(lines: readonly string[]): string | undefined {
  const at = lines.findIndex((line) => /^\s*\^+$/.test(line))
  const [line, caret] = [lines[at - 1], lines[at]]
  if (line === undefined || caret === undefined) return undefined
  const [start, end] = [caret.indexOf('^'), caret.length]
  return `${line.slice(2, start)}«${line.slice(start, end)}»${line.slice(end)}`
}
