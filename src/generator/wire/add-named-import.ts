import { type ImportDeclaration, Node } from 'ts-morph'
import { byName, bySource } from '../render/order.ts'
import { appendItem } from './append-item.ts'
import { type Edit, insertion } from './edit.ts'
import { type Import, importStatement, isSameModule, sourceIn } from './import.ts'
import { behindComments, endsLine, leadOf } from './lines.ts'
import type { WireFile } from './wire-file.ts'

/**
 * The edits that import a name which the file does not have yet: within the braces of an import
 * from the same module, else as a statement behind the last one whose source sorts before it.
 */
export function addNamedImport(file: WireFile, need: Import): Edit[] {
  const from = file.source
    .getImportDeclarations()
    .filter((declaration) => isSameModule(declaration.getModuleSpecifierValue(), need.from))
  const type = need.isType && from.find((declaration) => declaration.isTypeOnly())
  const host = type || from.find((declaration) => !declaration.isTypeOnly())
  return (host && amongNames(file, host, need)) ?? asStatement(file, need)
}

function amongNames(file: WireFile, host: ImportDeclaration, need: Import): Edit[] | undefined {
  const names = host.getImportClause()?.getNamedBindings()
  if (!Node.isNamedImports(names)) return undefined
  const code = need.isType && !host.isTypeOnly() ? `type ${need.name}` : need.name
  const all = names.getElements()
  const last = all.filter((each) => byName(each.getName(), need.name) <= 0).at(-1)
  const [first] = all
  if (last || !first) return appendItem(file, names, () => code, last)
  const lead = leadOf(file.text, first.getStart())
  const gap = lead.trim() === '' ? file.style.newline + lead : ' '
  return [insertion(first.getStart(), `${code},${gap}`)]
}

function asStatement({ source, text, style }: WireFile, need: Import): Edit[] {
  const statement = importStatement({ ...need, from: sourceIn(style, need.from) }, style)
  const imports = source.getImportDeclarations()
  const last = imports
    .filter((other) => bySource(other.getModuleSpecifierValue(), need.from) <= 0)
    .at(-1)
  if (last !== undefined) {
    const { at } = behindComments(text, last.getEnd())
    const rest = endsLine(text, at) ? '' : style.newline
    return [insertion(at, style.newline + statement + rest)]
  }
  const next = imports[0] ?? source.getStatements()[0]
  const at = next === undefined ? text.length : startWithComments(text, next)
  return [insertion(at, statement + style.newline)]
}

/** Where the node starts, with the comments right above it but not those that open the file. */
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
