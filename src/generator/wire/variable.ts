import { Node, type VariableDeclaration, VariableDeclarationKind } from 'ts-morph'

/** The constant that an identifier names, where it is one of this file. */
export function variableOf(node: Node | undefined): VariableDeclaration | undefined {
  if (!Node.isIdentifier(node)) return undefined
  const [declaration, ...others] = node.getSymbol()?.getDeclarations() ?? []
  if (!Node.isVariableDeclaration(declaration) || others.length > 0) return undefined
  const isConst =
    declaration.getVariableStatement()?.getDeclarationKind() === VariableDeclarationKind.Const
  return isConst ? declaration : undefined
}
