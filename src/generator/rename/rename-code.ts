import { join } from 'node:path'
import { ts } from 'ts-morph'
import { declarationsOf, matchDeclarations } from './declarations.ts'
import { applyEdits, type Edit } from './edits.ts'
import { createProgram, type Program } from './language.ts'
import type { Leftover } from './leftovers.ts'
import { prismaEdits } from './prisma-edits.ts'
import type { PrismaNames } from './prisma-names.ts'
import { leftoversInScript } from './script-leftovers.ts'
import type { Spellings } from './spellings.ts'

/** An emitted script before and after the rename. */
export interface EmittedScript {
  readonly from: { readonly path: string; readonly text: string }
  readonly to: { readonly path: string; readonly text: string }
}

export interface CodeRename {
  /** Absolute path of the project's root. */
  readonly root: string
  readonly emitted: readonly EmittedScript[]
  readonly spellings: Spellings
  readonly prisma: PrismaNames
}

/** A declared name to rename, and the file of its declaration. */
interface Target {
  readonly file: string
  readonly path: string
  readonly index: number
  readonly to: string
}

export interface RenamedCode {
  /** The new text of each changed script, by its previous path. */
  readonly texts: ReadonlyMap<string, string>
  /** Places in `searched` that contain a previous name and were not renamed. */
  readonly leftovers: readonly Leftover[]
}

/**
 * Renames the names of emitted declarations in scripts, with all their uses that TypeScript knows, and the imports of
 * moved files. `searched` lists the scripts with a person's own code.
 */
export function renameCode(
  rename: CodeRename,
  scripts: ReadonlyMap<string, string>,
  searched: readonly string[],
): RenamedCode {
  const program = createProgram(rename.root, scripts)
  const edits = new Map<string, Edit[]>()
  const add = (fileName: string, edit: Edit) => {
    const path = program.pathOf(fileName)
    if (path !== undefined) edits.set(path, [...(edits.get(path) ?? []), edit])
  }
  const declarations = new Map<string, ReadonlyMap<string, ts.Identifier>>()
  for (const target of targetsOf(rename)) {
    const script = program.script(target.file)
    if (script === undefined) continue
    const names = declarations.get(target.file) ?? namesIn(script)
    declarations.set(target.file, names)
    const name = names.get(`${target.path} ${target.index}`)
    if (name !== undefined) renameAt(program, script, name, target.to, add)
  }
  for (const { from, to } of rename.emitted) {
    if (from.path !== to.path && scripts.has(from.path)) moveFile(program, from.path, to.path, add)
  }
  for (const path of searched) {
    const known = edits.get(path) ?? []
    const places = new Set(known.map(({ start }) => start))
    const found = prismaEdits(program, path, rename.prisma).filter(
      ({ start }) => !places.has(start),
    )
    if (found.length > 0) edits.set(path, [...known, ...found])
  }
  const texts = new Map(
    [...edits].map(([path, list]) => [path, applyEdits(scripts.get(path) ?? '', list)] as const),
  )
  const leftovers = searched.flatMap((path) =>
    leftoversInScript(program, path, rename.spellings.words, edits.get(path) ?? []),
  )
  return { texts, leftovers }
}

type Add = (fileName: string, edit: Edit) => void

function targetsOf({ emitted, spellings }: CodeRename): readonly Target[] {
  return emitted.flatMap(({ from, to }) => {
    if (from.text === to.text) return []
    const [before, after] = [parse(from.path, from.text), parse(to.path, to.text)]
    const names = new Map<ts.Identifier, string>()
    matchDeclarations(before, after, (name, next) => {
      if (name.text !== next.text && spellings.explains(name.text, next.text))
        names.set(name, next.text)
    })
    return declarationsOf(before).flatMap(({ name, path, index }) => {
      const next = names.get(name)
      return next === undefined ? [] : [{ file: from.path, path, index, to: next }]
    })
  })
}

function namesIn(script: ts.SourceFile): ReadonlyMap<string, ts.Identifier> {
  return new Map(declarationsOf(script).map(({ path, index, name }) => [`${path} ${index}`, name]))
}

/** Renames one symbol. An exported name is renamed in its importers too, without an alias. */
function renameAt(
  { service }: Program,
  script: ts.SourceFile,
  name: ts.Identifier,
  to: string,
  add: Add,
): void {
  const keepsAliases = !isTopLevel(name)
  const locations = service.findRenameLocations(
    script.fileName,
    name.getStart(script),
    false,
    false,
    { providePrefixAndSuffixTextForRename: keepsAliases },
  )
  for (const { fileName, textSpan, prefixText, suffixText } of locations ?? []) {
    const isKey = isKeyAt(service, fileName, textSpan.start)
    const edit = { start: textSpan.start, length: textSpan.length, text: to, isKey }
    if (keepsAliases) add(fileName, { ...edit, prefix: prefixText, suffix: suffixText })
    else add(fileName, { ...edit, prefix: shorthandPrefix(service, fileName, textSpan.start) })
  }
}

/** Keeps the property of a shorthand `{ createPost }` when the variable gets another name. */
function shorthandPrefix(
  service: ts.LanguageService,
  fileName: string,
  start: number,
): string | undefined {
  const script = service.getProgram()?.getSourceFile(fileName)
  const node = script && tokenAt(script, start)
  return node && ts.isIdentifier(node) && ts.isShorthandPropertyAssignment(node.parent)
    ? `${node.text}: `
    : undefined
}

function isKeyAt(service: ts.LanguageService, fileName: string, start: number): boolean {
  const script = service.getProgram()?.getSourceFile(fileName)
  const node = script && tokenAt(script, start)
  if (node === undefined) return false
  const { parent } = node
  return (
    (ts.isBindingElement(parent) && parent.propertyName === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node)
  )
}

function tokenAt(script: ts.SourceFile, start: number): ts.Node | undefined {
  let found: ts.Node | undefined
  const visit = (node: ts.Node): void => {
    if (node.getStart(script) > start || node.end <= start) return
    found = node
    ts.forEachChild(node, visit)
  }
  visit(script)
  return found
}

function isTopLevel(name: ts.Identifier): boolean {
  const { parent } = name
  if (ts.isVariableDeclaration(parent)) return ts.isSourceFile(parent.parent.parent.parent)
  const isStatement =
    ts.isFunctionDeclaration(parent) ||
    ts.isClassDeclaration(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isTypeAliasDeclaration(parent)
  return isStatement && ts.isSourceFile(parent.parent)
}

function moveFile({ root, service }: Program, from: string, to: string, add: Add): void {
  const changes = service.getEditsForFileRename(join(root, from), join(root, to), {}, {})
  for (const { fileName, textChanges } of changes) {
    for (const { span, newText } of textChanges)
      add(fileName, { start: span.start, length: span.length, text: newText })
  }
}

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
}
