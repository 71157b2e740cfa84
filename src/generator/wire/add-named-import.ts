import { type ImportDeclaration, Node } from 'ts-morph'
import { byName, bySource } from '../render/order.ts'
import { appendItem } from './append-item.ts'
import { type Edit, insertion } from './edit.ts'
import { afterComments, endsLine, linePrefix } from './lines.ts'
import { importStatement, isSameModule, type NamedImport, sourceFor } from './named-import.ts'
import type { WireFile } from './wire-file.ts'

/**
 * Returns the edits that import a missing name: within the braces of an import from the same module,
 * or else as a statement after the last import whose source sorts before.
 */
export function addNamedImport(file: WireFile, need: NamedImport): Edit[] {
  const from = file.source
    .getImportDeclarations()
    .filter((declaration) => isSameModule(declaration.getModuleSpecifierValue(), need.from))
  const type = need.isType && from.find((declaration) => declaration.isTypeOnly())
  const host = type || from.find((declaration) => !declaration.isTypeOnly())
  return (host && amongNames(file, host, need)) ?? asStatement(file, need)
}

function amongNames(
  file: WireFile,
  host: ImportDeclaration,
  need: NamedImport,
): Edit[] | undefined {
  const names = host.getImportClause()?.getNamedBindings()
  if (!Node.isNamedImports(names)) return undefined
  const code = need.isType && !host.isTypeOnly() ? `type ${need.name}` : need.name
  const all = names.getElements()
  const last = all.filter((each) => byName(each.getName(), need.name) <= 0).at(-1)
  const [first] = all
  if (last || !first) return appendItem(file, names, () => code, last)
  const lead = linePrefix(file.text, first.getStart())
  const gap = lead.trim() === '' ? file.style.newline + lead : ' '
  return [insertion(first.getStart(), `${code},${gap}`)]
}

function asStatement({ source, text, style }: WireFile, need: NamedImport): Edit[] {
  const statement = importStatement({ ...need, from: sourceFor(style, need.from) }, style)
  const imports = source.getImportDeclarations()
  const last = imports
    .filter((other) => bySource(other.getModuleSpecifierValue(), need.from) <= 0)
    .at(-1)
  if (last !== undefined) {
    const { at } = afterComments(text, last.getEnd())
    const rest = endsLine(text, at) ? '' : style.newline
    return [insertion(at, style.newline + statement + rest)]
  }
  const next = imports[0] ?? source.getStatements()[0]
  const at = next === undefined ? text.length : startWithComments(text, next)
  return [insertion(at, statement + style.newline)]
}

/** Returns the offset of the node's adjacent comments, or of the node if they start the file. */
function startWithComments(text: string, node: Node): number {
  const comments = node.getLeadingCommentRanges().map((range) => [range.getPos(), range.getEnd()])
  let start = node.getStart()
  for (const [pos = 0, end = 0] of comments.toReversed()) {
    const isApart = /\n\s*\n/.test(text.slice(end, start))
    if (isApart) return start
    start = pos
  }
  return text.slice(0, start).trim() === '' ? node.getStart() : start
}
