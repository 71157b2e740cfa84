import { Node, type SourceFile } from 'ts-morph'
import { startsLine } from './lines.ts'
import { hasTrailingComma, isList, itemsOf, type List } from './list.ts'

/** The code style of a file. Added code follows it. */
export interface Style {
  readonly quote: "'" | '"'
  readonly semicolon: ';' | ''
  readonly newline: '\n' | '\r\n'
  /** One level of indentation. */
  readonly indent: string
  readonly hasTrailingCommas: boolean
  /** The extension in imports of the project's modules. */
  readonly extension: '.js' | '.ts' | ''
}

/** Detects the style of most of the file. The default is the style of emitted code. */
export function styleOf(source: SourceFile): Style {
  const text = source.getFullText()
  const nodes = source.getDescendants()
  return {
    quote: isMajority(nodes.filter(Node.isStringLiteral), isDoubleQuoted) ? '"' : "'",
    semicolon: isMajority(nodes.filter(mayEndInSemicolon), endsInSemicolon) ? ';' : '',
    newline: isMajority(text.match(/\r?\n/g) ?? [], (end) => end === '\r\n') ? '\r\n' : '\n',
    indent: indentOf(text),
    hasTrailingCommas: !isMajority(nodes.filter(isTallList), (list) => !hasTrailingComma(list)),
    extension: extensionOf(source),
  }
}

/** Returns true if more than half of the items match; false for no items. */
function isMajority<Item>(items: readonly Item[], matches: (item: Item) => boolean): boolean {
  return items.filter(matches).length * 2 > items.length
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

/** Returns the smallest indentation. Ignores single spaces, which start lines of block comments. */
function indentOf(text: string): string {
  const indents = text.match(/^(?:\t+| {2,})(?=\S)/gm) ?? []
  if (isMajority(indents, (indent) => indent.startsWith('\t'))) return '\t'
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
  if (isMajority(own, (from) => from.endsWith('.ts'))) return '.ts'
  return isMajority(own, (from) => !/\.[cm]?[jt]s$/.test(from)) ? '' : '.js'
}
