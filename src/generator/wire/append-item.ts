import { Node, SyntaxKind } from 'ts-morph'
import { type Edit, insertion } from './edit.ts'
import { afterComments, indentAt, linePrefix } from './lines.ts'
import { itemsOf, type List } from './list.ts'
import type { WireFile } from './wire-file.ts'

/** Prints an item. `indent` is the indentation of its line, or `undefined` if items share a line. */
export type Item = (indent: string | undefined) => string

/**
 * Inserts an item after `after`, or at the end of the list. Follows the style of the list: one item per
 * line or not, commas at the end or the start of lines, and a trailing comma or not.
 */
export function appendItem(file: WireFile, list: List, item: Item, after?: Node): Edit[] {
  const last = after ?? itemsOf(list).at(-1)
  return last === undefined ? insertFirst(file, list, item) : appendAfter(file, list, item, last)
}

function appendAfter({ text, style }: WireFile, list: List, item: Item, last: Node): Edit[] {
  const lead = linePrefix(text, last.getStart())
  if (/^\s*,\s*$/.test(lead)) {
    const { at } = afterComments(text, last.getEnd())
    return [insertion(at, style.newline + lead + item(undefined))]
  }
  const comma = last.getNextSiblingIfKind(SyntaxKind.CommaToken)
  const { at, needsLine } = afterComments(text, (comma ?? last).getEnd())
  const indent =
    lead.trim() === '' ? lead : needsLine ? insideIndent(list, style.indent) : undefined
  const added = indent === undefined ? ` ${item(indent)}` : style.newline + indent + item(indent)
  return comma === undefined
    ? [insertion(last.getEnd(), ','), insertion(at, added)]
    : [insertion(at, `${added},`)]
}

function insertFirst({ text, style }: WireFile, list: List, item: Item): Edit[] {
  const inside = text.slice(list.getStart() + 1, list.getEnd() - 1)
  const start = list.getStart() + 1 + inside.trimEnd().length
  const end = list.getEnd() - 1
  const isBare = inside.trim() === ''
  if (inside.includes('\n') || (isBare && Node.isObjectLiteralExpression(list))) {
    const indent = insideIndent(list, style.indent)
    const comma = style.hasTrailingCommas ? ',' : ''
    const added = style.newline + indent + item(indent) + comma
    return [{ start, end, text: added + style.newline + indentAt(text, list.getStart()) }]
  }
  const space = Node.isArrayLiteralExpression(list) ? '' : ' '
  return [{ start, end, text: `${isBare ? space : ' '}${item(undefined)}${space}` }]
}

function insideIndent(list: List, level: string): string {
  return indentAt(list.getSourceFile().getFullText(), list.getStart()) + level
}
