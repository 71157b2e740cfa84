import { ts } from 'ts-morph'

/** A declared name in a script, found by the names around it, so that it is found in an edited script too. */
export interface Declaration {
  /** Kinds and names of the enclosing declarations, outermost first, and of the declaration itself. */
  readonly path: string
  /** Position among declarations with the same path. */
  readonly index: number
  readonly name: ts.Identifier
}

/** Lists the declared names of a script in the order of its text. */
export function declarationsOf(script: ts.SourceFile): readonly Declaration[] {
  const found: Declaration[] = []
  const counts = new Map<string, number>()
  const visit = (node: ts.Node, around: string): void => {
    const name = declaredName(node)
    const path = name === undefined ? around : `${around}/${ts.SyntaxKind[node.kind]} ${name.text}`
    if (name !== undefined && ts.isIdentifier(name)) {
      const index = counts.get(path) ?? 0
      counts.set(path, index + 1)
      found.push({ path, index, name })
    }
    ts.forEachChild(node, (child) => visit(child, path))
  }
  visit(script, '')
  return found
}

/** Matches two versions of an emitted script by syntax. Calls `matched` for each pair of declared names. */
export function matchDeclarations(
  before: ts.SourceFile,
  after: ts.SourceFile,
  matched: (before: ts.Identifier, after: ts.Identifier) => void,
): void {
  const visit = (one: ts.Node, other: ts.Node): void => {
    const [name, otherName] = [declaredName(one), declaredName(other)]
    if (name && otherName && ts.isIdentifier(name) && ts.isIdentifier(otherName))
      matched(name, otherName)
    const [children, others] = [childrenOf(one), childrenOf(other)]
    if (children.length !== others.length) return
    children.forEach((child, i) => {
      const next = others[i]
      if (next !== undefined && next.kind === child.kind) visit(child, next)
    })
  }
  visit(before, after)
}

/** Imports are sorted by path, so a rename changes their order. */
function childrenOf(node: ts.Node): readonly ts.Node[] {
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => {
    if (!ts.isImportDeclaration(child)) children.push(child)
  })
  return children
}

function declaredName(node: ts.Node): ts.Identifier | ts.StringLiteral | undefined {
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isFunctionLike(node) ||
    ts.isClassLike(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isBindingElement(node) ||
    ts.isTypeParameterDeclaration(node)
  if (!isDeclaration) return undefined
  const { name } = node
  return name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name : undefined
}
