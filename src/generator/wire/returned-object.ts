import { Node, type ObjectLiteralExpression, type VariableDeclaration } from 'ts-morph'
import { enclosingFunction, type FunctionNode, returnedExpression } from './functions.ts'
import { PlaceNotFound } from './place-not-found.ts'
import { assertHas } from './stated-type.ts'
import { unwrap } from './unwrap.ts'
import { variableOf } from './variable.ts'

/** The object that a function returns, and the constant it is held in before, where it is. */
export interface ReturnedObject {
  readonly object: ObjectLiteralExpression
  readonly holder?: VariableDeclaration
}

/** Finds the object literal that the function returns, itself or by the name of a constant. */
export function findReturnedObject(fn: FunctionNode, name: string): ReturnedObject {
  const value = unwrap(returnedExpression(fn, name))
  if (Node.isObjectLiteralExpression(value)) return { object: value }
  const holder = variableOf(value)
  const object = unwrap(holder?.getInitializer())
  if (holder && Node.isObjectLiteralExpression(object) && enclosingFunction(holder) === fn) {
    return { object, holder }
  }
  throw new PlaceNotFound(`the object literal that ${name} returns`)
}

/** The code that gives the property its value, in the object or in what it spreads. */
export function findProperty(fn: FunctionNode, returned: ReturnedObject, name: string) {
  return propertyOf(returned.object, name) ?? laterAssignment(fn, returned, name)
}

/** Throws `PlaceNotFound` where a type written around the object lacks the property. */
export function assertTyped(fn: FunctionNode, { object }: ReturnedObject, property: string): void {
  assertHas(fn.getReturnTypeNode(), property)
  for (const node of object.getAncestors()) {
    if (node === fn) return
    if (Node.isTyped(node)) assertHas(node.getTypeNode(), property)
  }
}

function propertyOf(object: ObjectLiteralExpression, name: string): Node | undefined {
  for (const property of object.getProperties()) {
    if (!Node.isSpreadAssignment(property)) {
      if (keyOf(property.getNameNode()) === name) return property
      continue
    }
    const spread = unwrap(property.getExpression())
    const value = Node.isIdentifier(spread) ? unwrap(variableOf(spread)?.getInitializer()) : spread
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
      return isNamed && variableOf(left.getExpression()) === holder
    })
}
