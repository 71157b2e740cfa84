import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { CopyState } from '../../../generator/copy/copy-records.ts'
import { StrataError } from '../../../generator/errors.ts'

/** The two stores and the model of a copy. A run continues a copy only if all of them are the same. */
export interface CopyIdentity {
  readonly from: string
  readonly to: string
  /** Hashes, because the URLs contain passwords. */
  readonly source: string
  readonly target: string
  readonly model: string
}

const stored = z.object({
  identity: z.object({
    from: z.string(),
    to: z.string(),
    source: z.string(),
    target: z.string(),
    model: z.string(),
  }),
  /** Null until the new store was found to be empty. */
  done: z.record(z.string(), z.number()).nullable(),
})

/** Returns the folder with the files of a copy, which is removed at its end. Git ignores the folder. */
export function copyFolder(root: string): string {
  return join(root, '.strata/copy')
}

/** A copy that an earlier run prepared. `state` is undefined if that run copied nothing. */
export interface StartedCopy {
  readonly state: CopyState | undefined
}

/**
 * Returns the interrupted copy with this identity, undefined if there is none. Throws StrataError 'conflict' if another
 * copy has already copied records.
 */
export function readState(root: string, identity: CopyIdentity): StartedCopy | undefined {
  const text = readIfExists(join(copyFolder(root), 'state.json'))
  if (text === undefined) return undefined
  const { identity: other, done } = parseState(text)
  const changed = (Object.keys(identity) as (keyof CopyIdentity)[]).filter(
    (name) => identity[name] !== other[name],
  )
  if (changed.length === 0) return { state: done === null ? undefined : { done } }
  if (done === null) return undefined
  throw new StrataError(
    'conflict',
    `an interrupted copy from ${other.from} to ${other.to} has another ${changed.map((name) => labels[name]).join(' and ')}`,
    { details: ['continue it as it was started, or delete .strata/copy and empty its new store'] },
  )
}

const labels: Record<keyof CopyIdentity, string> = {
  from: 'kind of the old store',
  to: 'kind of the new store',
  source: 'URL of the old store',
  target: 'URL of the new store',
  model: 'model',
}

/** Replaces the state atomically. */
export function writeState(
  root: string,
  identity: CopyIdentity,
  { done }: CopyState | { done: null },
): void {
  const folder = copyFolder(root)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, '.gitignore'), '*\n')
  const draft = join(folder, 'state.json.draft')
  writeFileSync(draft, `${JSON.stringify({ identity, done })}\n`)
  renameSync(draft, join(folder, 'state.json'))
}

/** Removes the files of a finished copy. */
export function removeCopyFolder(root: string): void {
  rmSync(copyFolder(root), { recursive: true, force: true })
}

function parseState(text: string) {
  try {
    return stored.parse(JSON.parse(text))
  } catch (cause) {
    const message =
      '.strata/copy/state.json is damaged: delete .strata/copy and empty the new store'
    throw new StrataError('conflict', message, { cause })
  }
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
