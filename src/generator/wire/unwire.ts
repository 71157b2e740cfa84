import {
  type Identifier,
  type ImportSpecifier,
  Node,
  type SourceFile,
  ts,
  type VariableStatement,
} from 'ts-morph'
import type { Feature } from '../model/model.ts'
import { declarationsOf, identifiersIn } from './declarations.ts'
import { needsOf } from './feature-imports.ts'
import { isSameModule } from './named-import.ts'
import { PlaceNotFound } from './place-not-found.ts'
import { parseFile } from './wire-file.ts'

/** A part of the text, in UTF-16 offsets. */
interface Range {
  readonly start: number
  readonly end: number
}

/**
 * Removes the wiring of a feature from a file that a person edited: the imports of its files, and each property, element,
 * statement, constant or link of a chain that uses them. Returns `undefined` if the code around a use cannot be removed.
 */
export function unwireFeature(
  path: string,
  text: string,
  feature: Feature,
  adapter: string,
): string | undefined {
  const needs = needsOf(feature, adapter)[path] ?? []
  try {
    const { source } = parseFile(text)
    const specifiers = importsOf(
      source,
      needs.map(({ from }) => from),
    )
    const uses = specifiers.flatMap((each) =>
      usesOf(source, each.getAliasNode() ?? each.getNameNode(), each),
    )
    return withoutRanges(text, [
      ...importRanges(source, specifiers),
      ...uses.flatMap((use) => removableRanges(source, use)),
    ])
  } catch (error) {
    if (error instanceof PlaceNotFound) return undefined
    throw error
  }
}

function importsOf(source: SourceFile, modules: readonly string[]): readonly ImportSpecifier[] {
  const declarations = source
    .getImportDeclarations()
    .filter((each) =>
      modules.some((module) => isSameModule(each.getModuleSpecifierValue(), module)),
    )
  if (declarations.some((each) => each.getDefaultImport() || each.getNamespaceImport()))
    throw new PlaceNotFound('named imports')
  return declarations.flatMap((each) => each.getNamedImports())
}

function usesOf(source: SourceFile, name: Node, declaration: Node): readonly Identifier[] {
  return source
    .getStatements()
    .filter((statement) => !Node.isImportDeclaration(statement))
    .flatMap(identifiersIn)
    .filter((use) => use !== name && use.getText() === name.getText())
    .filter((use) => {
      const at = Node.isShorthandPropertyAssignment(use.getParent()) ? use.getParentOrThrow() : use
      return declarationsOf(use.getText(), at)?.includes(declaration)
    })
}

/** Returns the range of the smallest code around a use that can go alone. A removed constant takes its uses along. */
function removableRanges(source: SourceFile, use: Node): readonly Range[] {
  for (const node of [use, ...use.getAncestors()]) {
    const parent = node.getParent()
    if (isChainLink(node)) return [linkRange(node)]
    if (isListItem(node, parent)) return [itemRange(node)]
    if (Node.isVariableStatement(node)) return constantRanges(source, node)
    if (isWiringStatement(node, parent)) return [lineRange(node)]
    if (Node.isPropertySignature(node)) return [lineRange(node)]
    if (Node.isStatement(node)) break
  }
  throw new PlaceNotFound('code that can be removed')
}

/** Returns the ranges of a constant inside a function and of its uses. Other constants are a person's own code. */
function constantRanges(source: SourceFile, node: VariableStatement): readonly Range[] {
  const [variable, ...others] = node.getDeclarations()
  const name = variable?.getNameNode()
  const uses = variable && name && Node.isIdentifier(name) ? usesOf(source, name, variable) : []
  if (others.length > 0 || uses.length === 0 || Node.isSourceFile(node.getParent()))
    throw new PlaceNotFound('a constant inside a function')
  return [lineRange(node), ...uses.flatMap((each) => removableRanges(source, each))]
}

/** Returns true for `api.use(…)`, `apiDocs.push(…)` and `services.tags = …`. */
function isWiringStatement(node: Node, parent: Node | undefined): boolean {
  if (!Node.isExpressionStatement(node)) return false
  if (!Node.isBlock(parent) && !Node.isSourceFile(parent)) return false
  const expression = node.getExpression()
  if (Node.isBinaryExpression(expression))
    return Node.isPropertyAccessExpression(expression.getLeft())
  const callee = Node.isCallExpression(expression) ? expression.getExpression() : undefined
  return Node.isPropertyAccessExpression(callee) && /^(?:use|push)$/.test(callee.getName())
}

/** Returns true for a call like `.use('/tags', router)` that is one of several links of a chain. */
function isChainLink(node: Node) {
  if (!Node.isCallExpression(node)) return false
  const callee = node.getExpression()
  if (!Node.isPropertyAccessExpression(callee) || callee.getName() !== 'use') return false
  return (
    Node.isPropertyAccessExpression(node.getParent()) ||
    Node.isCallExpression(callee.getExpression())
  )
}

function linkRange(node: Node): Range {
  const callee = Node.isCallExpression(node) ? node.getExpression() : undefined
  const before = Node.isPropertyAccessExpression(callee) ? callee.getExpression() : node
  return { start: before.getEnd(), end: node.getEnd() }
}

function isListItem(node: Node, parent: Node | undefined): boolean {
  return (
    Node.isPropertyAssignment(node) ||
    Node.isShorthandPropertyAssignment(node) ||
    Node.isSpreadAssignment(node) ||
    Node.isArrayLiteralExpression(parent)
  )
}

/** Returns the range of an item of a list, with one of the commas around it. */
function itemRange(node: Node): Range {
  const text = node.getSourceFile().getFullText()
  const start = startOf(node)
  const before = text.slice(0, start).trimEnd().length
  const comma = /^\s*,/.exec(text.slice(node.getEnd()))?.[0].length
  if (comma === undefined) {
    const isAfterComma = text[before - 1] === ','
    return { start: isAfterComma ? before - 1 : before, end: node.getEnd() }
  }
  const end = node.getEnd() + comma
  const isInline = !text.slice(before, start).includes('\n')
  const isFirst = /[{[]/.test(text[before - 1] ?? '')
  return isInline && isFirst
    ? { start, end: end + (/^ */.exec(text.slice(end))?.[0].length ?? 0) }
    : { start: before, end }
}

/** Returns the range of a statement or member with the comments above it and its line break. */
function lineRange(node: Node): Range {
  const text = node.getSourceFile().getFullText()
  const start = text.slice(0, startOf(node)).trimEnd().length
  const end = node.getEnd()
  if (start > 0) return { start, end }
  return { start: startOf(node), end: end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0) }
}

/** Returns the start of a node, or of the comments on the lines above it. */
function startOf(node: Node): number {
  const text = node.getSourceFile().getFullText()
  const comments = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []
  const own = comments.find(({ pos }) => /\n[ \t]*$/.test(text.slice(node.getFullStart(), pos)))
  return own?.pos ?? node.getStart()
}

function importRanges(
  source: SourceFile,
  specifiers: readonly ImportSpecifier[],
): readonly Range[] {
  // Every import of a removed module goes, so whole declarations go.
  return source
    .getImportDeclarations()
    .filter((each) => specifiers.some((one) => one.getImportDeclaration() === each))
    .map((each) => {
      const text = source.getFullText()
      const end = each.getEnd()
      return {
        start: each.getStart(),
        end: end + (/^\r?\n/.exec(text.slice(end))?.[0].length ?? 0),
      }
    })
}

/** Removes the ranges, which may overlap. */
function withoutRanges(text: string, ranges: readonly Range[]): string {
  let result = ''
  let done = 0
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start > done) result += text.slice(done, start)
    done = Math.max(done, end)
  }
  return result + text.slice(done)
}
