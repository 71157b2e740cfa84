import { type Identifier, Node, SymbolFlags } from 'ts-morph'
import { PlaceNotFound } from './place-not-found.ts'

const any = SymbolFlags.Value | SymbolFlags.Type | SymbolFlags.Namespace | SymbolFlags.Alias

/** The declarations that the name stands for at the node; none where the name is free. */
export function declarationsOf(name: string, at: Node): readonly Node[] | undefined {
  const symbols = at.getProject().getTypeChecker().getSymbolsInScope(at, any)
  return symbols.find((symbol) => symbol.getName() === name)?.getDeclarations()
}

/** Throws `PlaceNotFound` where the name stands for something else than the declaration. */
export function assertMeans(name: string, declaration: Node, at: Node): void {
  if (declarationsOf(name, at)?.includes(declaration)) return
  throw new PlaceNotFound(`a place where ${name} is not hidden by another ${name}`)
}

/** Throws `PlaceNotFound` where the name stands for anything, or does anywhere in the file. */
export function assertFree(name: string, at: Node): void {
  if (!declarationsOf(name, at) && !declarationsOf(name, at.getSourceFile())) return
  throw new PlaceNotFound(`${name} as a free name (something else is called so)`)
}

/** The identifiers in the node that are names of variables or types, not of properties. */
export function namesIn(node: Node): readonly Identifier[] {
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
