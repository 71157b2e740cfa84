import { Node, type SourceFile } from 'ts-morph'
import { startsLine } from './lines.ts'
import { hasTrailingComma, isList, itemsOf, type List } from './list.ts'

/** How a file is written, so that what is added looks like the rest. */
export interface Style {
  readonly quote: "'" | '"'
  readonly semicolon: ';' | ''
  readonly newline: '\n' | '\r\n'
  /** One level. */
  readonly indent: string
  readonly hasTrailingCommas: boolean
  /** What the sources of the project's own modules end with. */
  readonly extension: '.js' | '.ts' | ''
}

/** What most of the file does; the style of emitted code where it does not say. */
export function styleOf(source: SourceFile): Style {
  const text = source.getFullText()
  const nodes = source.getDescendants()
  return {
    quote: most(nodes.filter(Node.isStringLiteral), isDoubleQuoted) ? '"' : "'",
    semicolon: most(nodes.filter(mayEndInSemicolon), endsInSemicolon) ? ';' : '',
    newline: most(text.match(/\r?\n/g) ?? [], (end) => end === '\r\n') ? '\r\n' : '\n',
    indent: indentOf(text),
    hasTrailingCommas: !most(nodes.filter(isTallList), (list) => !hasTrailingComma(list)),
    extension: extensionOf(source),
  }
}

/** Whether more than half of the items are so; false for none. */
function most<Item>(items: readonly Item[], isSo: (item: Item) => boolean): boolean {
  return items.filter(isSo).length * 2 > items.length
}

function isDoubleQuoted(node: Node): boolean {
  return node.getText().startsWith('"')
}

function mayEndInSemicolon(node: Node): boolean {
  return (
    Node.isImportDeclaration(node) ||
    Node.isVariableStatement(node) ||
    Node.isExpressionStatement(node) ||
    Node.isReturnStatement(node) ||
    Node.isTypeAliasDeclaration(node)
  )
}

function endsInSemicolon(node: Node): boolean {
  return node.getText().endsWith(';')
}

function isTallList(node: Node): node is List {
  if (!isList(node) || itemsOf(node).length === 0) return false
  return startsLine(node.getSourceFile().getFullText(), node.getEnd() - 1)
}

/** The least indentation there is; a single space is the second line of a block comment. */
function indentOf(text: string): string {
  const indents = text.match(/^(?:\t+| {2,})(?=\S)/gm) ?? []
  if (most(indents, (indent) => indent.startsWith('\t'))) return '\t'
  return ' '.repeat(Math.min(8, ...spaces(indents)) % 8 || 2)
}

function spaces(indents: readonly string[]): readonly number[] {
  return indents.filter((indent) => indent.startsWith(' ')).map((indent) => indent.length)
}

function extensionOf(source: SourceFile): Style['extension'] {
  const own = source
    .getImportDeclarations()
    .map((declaration) => declaration.getModuleSpecifierValue())
    .filter((from) => from.startsWith('.'))
  if (most(own, (from) => from.endsWith('.ts'))) return '.ts'
  return most(own, (from) => !/\.[cm]?[jt]s$/.test(from)) ? '' : '.js'
}
