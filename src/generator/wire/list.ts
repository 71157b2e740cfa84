import type { ArrayLiteralExpression, NamedImports, ObjectLiteralExpression } from 'ts-morph'
import { Node } from 'ts-morph'

/** A bracketed list with comma-separated items. */
export type List = ObjectLiteralExpression | ArrayLiteralExpression | NamedImports

export function isList(node: Node): node is List {
  return (
    Node.isObjectLiteralExpression(node) ||
    Node.isArrayLiteralExpression(node) ||
    Node.isNamedImports(node)
  )
}

export function itemsOf(list: List): readonly Node[] {
  return Node.isObjectLiteralExpression(list) ? list.getProperties() : list.getElements()
}

export function hasTrailingComma(list: List): boolean {
  const { compilerNode } = list
  const items = 'properties' in compilerNode ? compilerNode.properties : compilerNode.elements
  return items.hasTrailingComma === true
}
