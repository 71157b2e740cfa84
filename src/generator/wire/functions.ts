import type { ArrowFunction, FunctionDeclaration, FunctionExpression, SourceFile } from 'ts-morph'
import { type Expression, Node, ts } from 'ts-morph'
import { PlaceNotFound } from './place-not-found.ts'
import { unwrap } from './unwrap.ts'

export type FunctionNode = FunctionDeclaration | FunctionExpression | ArrowFunction

/** Finds the only function of this name: declared, assigned to a variable, or exported by this name. */
export function findFunction(source: SourceFile, name: string): FunctionNode {
  const own = functionsNamed(source, name)
  const found = own.length > 0 ? own : functionsNamed(source, localNameOf(source, name))
  const [first] = found
  if (first === undefined) throw new PlaceNotFound(`the function ${name}`)
  if (found.length === 1) return first
  throw new PlaceNotFound(`a single function ${name} (there are ${found.length})`)
}

/** Returns the function around the node, or `undefined` at the top level. */
export function enclosingFunction(node: Node): FunctionNode | undefined {
  const fn = node.getFirstAncestor((ancestor) => ts.isFunctionLike(ancestor.compilerNode))
  return isFunction(fn) ? fn : undefined
}

/** Returns the only expression that the function returns. Messages call the function `name`. */
export function returnedExpression(fn: FunctionNode, name: string): Expression {
  const body = fn.getBody()
  if (Node.isExpression(body)) return body
  const returns = fn
    .getDescendants()
    .filter(Node.isReturnStatement)
    .filter((statement) => enclosingFunction(statement) === fn)
  const value = returns[0]?.getExpression()
  if (value === undefined) throw new PlaceNotFound(`a return value of ${name}`)
  if (returns.length === 1) return value
  throw new PlaceNotFound(`a single return in ${name} (there are ${returns.length})`)
}

function functionsNamed(source: SourceFile, name: string): readonly FunctionNode[] {
  const declared = source.getFunctions().filter((fn) => fn.getName() === name && fn.hasBody())
  const held = source
    .getVariableDeclarations()
    .filter((variable) => variable.getName() === name)
    .map((variable) => unwrap(variable.getInitializer()))
  return [...declared, ...held.filter((value) => isFunction(value))]
}

function isFunction(node: Node | undefined): node is FunctionNode {
  return (
    Node.isFunctionDeclaration(node) ||
    Node.isFunctionExpression(node) ||
    Node.isArrowFunction(node)
  )
}

/** Returns the local name of an export: `build` for `export { build as name }`. */
function localNameOf(source: SourceFile, name: string): string {
  const specifier = source
    .getExportDeclarations()
    .filter((declaration) => !declaration.hasModuleSpecifier())
    .flatMap((declaration) => declaration.getNamedExports())
    .find((exported) => exported.getAliasNode()?.getText() === name)
  return specifier?.getName() ?? name
}
