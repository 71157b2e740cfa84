import { Node, type ObjectLiteralExpression, type VariableDeclaration } from 'ts-morph'
import { constantOf } from './constant.ts'
import { assertHasMember } from './declared-type.ts'
import { enclosingFunction, type FunctionNode, returnedExpression } from './functions.ts'
import { PlaceNotFound } from './place-not-found.ts'
import { unwrap } from './unwrap.ts'

/** The object that a function returns, and the constant that holds it, if any. */
export interface ReturnedObject {
  readonly object: ObjectLiteralExpression
  readonly holder?: VariableDeclaration
}

/** Finds the object literal that the function returns, directly or through a constant. */
export function findReturnedObject(fn: FunctionNode, name: string): ReturnedObject {
  const value = unwrap(returnedExpression(fn, name))
  if (Node.isObjectLiteralExpression(value)) return { object: value }
  const holder = constantOf(value)
  const object = unwrap(holder?.getInitializer())
  if (holder && Node.isObjectLiteralExpression(object) && enclosingFunction(holder) === fn) {
    return { object, holder }
  }
  throw new PlaceNotFound(`the object literal that ${name} returns`)
}

/** Finds the code that sets the property: in the object, in a spread object or in a later assignment. */
export function findProperty(fn: FunctionNode, returned: ReturnedObject, name: string) {
  return propertyOf(returned.object, name) ?? laterAssignment(fn, returned, name)
}

/** Throws `PlaceNotFound` if a type annotation of the object or the function lacks the property. */
export function assertTypesAllow(
  fn: FunctionNode,
  { object }: ReturnedObject,
  property: string,
): void {
  assertHasMember(fn.getReturnTypeNode(), property)
  for (const node of object.getAncestors()) {
    if (node === fn) return
    if (Node.isTyped(node)) assertHasMember(node.getTypeNode(), property)
  }
}

function propertyOf(object: ObjectLiteralExpression, name: string): Node | undefined {
  for (const property of object.getProperties()) {
    if (!Node.isSpreadAssignment(property)) {
      if (keyOf(property.getNameNode()) === name) return property
      continue
    }
    const spread = unwrap(property.getExpression())
    const value = Node.isIdentifier(spread) ? unwrap(constantOf(spread)?.getInitializer()) : spread
    const found = Node.isObjectLiteralExpression(value) ? propertyOf(value, name) : undefined
    if (found) return found
  }
  return undefined
}

function keyOf(key: Node): string | undefined {
  if (Node.isComputedPropertyName(key)) return keyOf(key.getExpression())
  const isText = Node.isStringLiteral(key) || Node.isNoSubstitutionTemplateLiteral(key)
  return isText ? key.getLiteralValue() : key.getText()
}

function laterAssignment(fn: FunctionNode, { holder }: ReturnedObject, name: string) {
  if (holder === undefined) return undefined
  return fn
    .getDescendants()
    .filter(Node.isBinaryExpression)
    .find((assignment) => {
      const left = assignment.getLeft()
      const isNamed = Node.isPropertyAccessExpression(left) && left.getName() === name
      return isNamed && constantOf(left.getExpression()) === holder
    })
}
