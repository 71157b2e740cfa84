import { Node, type VariableDeclaration, VariableDeclarationKind } from 'ts-morph'

/** Returns the constant of this file that an identifier refers to. */
export function constantOf(node: Node | undefined): VariableDeclaration | undefined {
  if (!Node.isIdentifier(node)) return undefined
  const [declaration, ...others] = node.getSymbol()?.getDeclarations() ?? []
  if (!Node.isVariableDeclaration(declaration) || others.length > 0) return undefined
  const isConst =
    declaration.getVariableStatement()?.getDeclarationKind() === VariableDeclarationKind.Const
  return isConst ? declaration : undefined
}
