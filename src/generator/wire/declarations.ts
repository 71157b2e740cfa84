import { type Identifier, Node, SymbolFlags } from 'ts-morph'
import { PlaceNotFound } from './place-not-found.ts'

const any = SymbolFlags.Value | SymbolFlags.Type | SymbolFlags.Namespace | SymbolFlags.Alias

/** Returns the declarations of the name in the scope of the node, or `undefined` for a free name. */
export function declarationsOf(name: string, at: Node): readonly Node[] | undefined {
  const symbols = at.getProject().getTypeChecker().getSymbolsInScope(at, any)
  return symbols.find((symbol) => symbol.getName() === name)?.getDeclarations()
}

/** Throws `PlaceNotFound` if the name refers to another declaration at the node. */
export function assertRefersTo(name: string, declaration: Node, at: Node): void {
  if (declarationsOf(name, at)?.includes(declaration)) return
  throw new PlaceNotFound(`a place where ${name} is not hidden by another ${name}`)
}

/** Throws `PlaceNotFound` if the name is declared at the node or at the top level of the file. */
export function assertFree(name: string, at: Node): void {
  if (!declarationsOf(name, at) && !declarationsOf(name, at.getSourceFile())) return
  throw new PlaceNotFound(`${name} as a free name (another declaration uses it)`)
}

/** Lists the identifiers in the node that name variables or types, not properties. */
export function identifiersIn(node: Node): readonly Identifier[] {
  return node
    .getDescendants()
    .filter(Node.isIdentifier)
    .filter((name) => !isPropertyName(name))
}

function isPropertyName(name: Identifier): boolean {
  const parent = name.getParent()
  if (Node.isShorthandPropertyAssignment(parent)) return false
  const isNamed =
    Node.isPropertyAccessExpression(parent) ||
    Node.isPropertyAssignment(parent) ||
    Node.isPropertySignature(parent) ||
    Node.isMethodDeclaration(parent)
  return isNamed && parent.getNameNode() === name
}
