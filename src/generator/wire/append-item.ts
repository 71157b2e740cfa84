import { Node, SyntaxKind } from 'ts-morph'
import { type Edit, insertion } from './edit.ts'
import { behindComments, indentAt, leadOf } from './lines.ts'
import { itemsOf, type List } from './list.ts'
import type { WireFile } from './wire-file.ts'

/** An item's code. `indent` is that of its line, undefined where it shares a line with others. */
export type Item = (indent: string | undefined) => string

/**
 * The edit that puts an item behind another one of the list, or behind all of them, in the way the
 * list itself is written: a line an item or not, a comma at the end, at the start of lines or none.
 */
export function appendItem(file: WireFile, list: List, item: Item, after?: Node): Edit[] {
  const last = after ?? itemsOf(list).at(-1)
  return last === undefined ? firstItem(file, list, item) : nextItem(file, list, item, last)
}

function nextItem({ text, style }: WireFile, list: List, item: Item, last: Node): Edit[] {
  const lead = leadOf(text, last.getStart())
  if (/^\s*,\s*$/.test(lead)) {
    const { at } = behindComments(text, last.getEnd())
    return [insertion(at, style.newline + lead + item(undefined))]
  }
  const comma = last.getNextSiblingIfKind(SyntaxKind.CommaToken)
  const { at, needsLine } = behindComments(text, (comma ?? last).getEnd())
  const indent =
    lead.trim() === '' ? lead : needsLine ? insideIndent(list, style.indent) : undefined
  const added = indent === undefined ? ` ${item(indent)}` : style.newline + indent + item(indent)
  return comma === undefined
    ? [insertion(last.getEnd(), ','), insertion(at, added)]
    : [insertion(at, `${added},`)]
}

function firstItem({ text, style }: WireFile, list: List, item: Item): Edit[] {
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
