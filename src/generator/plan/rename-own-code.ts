import type { Merge } from '../merge/merge.ts'
import { mergeFile } from '../merge/merge-file.ts'
import { mergeRenamed } from '../merge/merge-renamed.ts'
import { type Leftover, leftoversInText } from '../rename/leftovers.ts'
import { prismaNames } from '../rename/prisma-names.ts'
import type { EmittedScript, RenamedCode } from '../rename/rename-code.ts'
import type { Spellings } from '../rename/spellings.ts'
import type { CodeStyle } from '../render/format.ts'
import type { EmittedFile, RenameChange } from './rename-change.ts'

export interface OwnCode {
  /** Merges a file with the new emitted text. */
  merge(file: EmittedFile): Promise<Merge>
  /** Returns a file's text with the new names, by its previous path. */
  textOf(path: string): string | undefined
  /** Changed files that strata did not emit. */
  readonly others: readonly { readonly path: string; readonly text: string }[]
  /** Describes each place with a previous name that was not renamed. */
  notes(
    outcomes: readonly { readonly file: EmittedFile; readonly merge: Merge }[],
  ): readonly string[]
}

/**
 * Renames in a person's code. Loads TypeScript only if the project has scripts that strata did not emit, or emitted scripts
 * with edits.
 */
export async function renameOwnCode(
  change: RenameChange,
  files: readonly EmittedFile[],
  spellings: Spellings,
  styleOf: (path: string) => CodeStyle | undefined,
): Promise<OwnCode> {
  const { root, readFile, listTexts } = change
  const emitted = new Map(files.map((file) => [file.from, file]))
  const isEdited = ({ from, base }: EmittedFile) => {
    const disk = readFile(from)
    return disk !== undefined && disk.replaceAll('\r\n', '\n') !== base
  }
  const edited = files.filter(isEdited)
  const otherPaths = listTexts().filter((path) => !emitted.has(path) && path !== 'strata.json')
  const own = [...edited.map(({ from }) => from), ...otherPaths].filter(isScript)
  const scripts: EmittedScript[] = files
    .filter(({ from }) => isScript(from))
    .map(({ from, path, rendered, next }) => ({
      from: { path: from, text: rendered },
      to: { path, text: next },
    }))
  const nothing: RenamedCode = { texts: new Map(), leftovers: [] }
  let code = nothing
  if (own.length > 0) {
    const { renameCode } = await import('../rename/rename-code.ts')
    const prisma = prismaNames(change.before, change.after)
    const paths = [...emitted.keys(), ...otherPaths].filter(isScript)
    const texts = paths.flatMap((path) => {
      const text = readFile(path)
      return text === undefined ? [] : [[path, text] as const]
    })
    code = renameCode({ root, emitted: scripts, spellings, prisma }, new Map(texts), own)
  }
  const textOf = (path: string) =>
    // An emitted file without edits takes the new emitted text.
    own.includes(path) ? (code.texts.get(path) ?? readFile(path)) : readFile(path)
  return {
    async merge(file) {
      const { from, path, base, next } = file
      const disk = readFile(from)
      if (disk === undefined || !edited.includes(file)) return mergeFile(path, { base, disk, next })
      const isSchema = from === schemaPath
      return mergeRenamed(
        path,
        { base, disk, next, style: styleOf(path) },
        {
          disk: isSchema ? inWords(disk, spellings) : (textOf(from) ?? disk),
          inLine: spellings.replace,
        },
      )
    },
    textOf,
    others: otherPaths.flatMap((path) => {
      const text = code.texts.get(path)
      return text === undefined ? [] : [{ path, text }]
    }),
    notes: (outcomes) => [
      ...scriptNotes(code.leftovers, outcomes, textOf),
      ...textNotes(change, otherPaths, spellings),
    ],
  }
}

const schemaPath = 'prisma/schema.prisma'

function isScript(path: string): boolean {
  return /(?<!\.d)\.m?tsx?$/.test(path)
}

/** Replaces names in a text that holds no values, such as `schema.prisma`. */
function inWords(text: string, { words }: Spellings): string {
  const names = new Map(words.map(({ from, to }) => [from, to]))
  const pattern = new RegExp(`\\b(?:${[...names.keys()].join('|')})\\b`, 'g')
  return text.replace(pattern, (name) => names.get(name) ?? name)
}

/** Describes places in scripts. In an emitted file, places of emitted lines are already as they must be. */
function scriptNotes(
  leftovers: readonly Leftover[],
  outcomes: readonly { readonly file: EmittedFile; readonly merge: Merge }[],
  textOf: (path: string) => string | undefined,
): readonly string[] {
  return leftovers.flatMap((leftover) => {
    const outcome = outcomes.find(({ file }) => file.from === leftover.path)
    if (outcome === undefined) return [describe(leftover)]
    const { file, merge } = outcome
    const line = textOf(leftover.path)?.split('\n')[leftover.line - 1]?.replace(/\r$/, '')
    const result = (merge.kind === 'write' ? merge.text : (textOf(leftover.path) ?? '')).split('\n')
    const index = result.findIndex((each) => each.replace(/\r$/, '') === line)
    const isEmitted = line === undefined || file.next.split('\n').includes(line)
    if (isEmitted || index === -1) return []
    return [describe({ path: file.path, line: index + 1, text: line.trim() })]
  })
}

function textNotes(
  { after, readFile }: RenameChange,
  paths: readonly string[],
  { words }: Spellings,
): readonly string[] {
  return paths
    .filter((path) => !isScript(path))
    .flatMap((path) => {
      const text = readFile(path) ?? ''
      if (!path.startsWith('prisma/migrations/')) return leftoversInText(path, text, words)
      // SQLite renames in views and triggers itself. Other statements of a migration have run.
      if (after.database === 'sqlite') return []
      const body = /\bcreate\b[^;]{0,60}\b(?:view|trigger|function|procedure)\b[\s\S]*/i.exec(text)
      return body === null ? [] : leftoversAfter(path, text, body.index, words)
    })
    .map(describe)
}

function leftoversAfter(
  path: string,
  text: string,
  start: number,
  words: Spellings['words'],
): readonly Leftover[] {
  const first = text.slice(0, start).split('\n').length
  return leftoversInText(path, text, words).filter(({ line }) => line >= first)
}

function describe({ path, line, text }: Leftover): string {
  return `${path}:${line}: ${text.length > 100 ? `${text.slice(0, 100)}…` : text}`
}
