import { type Expression, Node } from 'ts-morph'

/** Strips parentheses, `as`, `satisfies`, `!`, `await` and `Object.freeze` from an expression. */
export function unwrap(expression: Expression | undefined): Expression | undefined {
  if (isWrapper(expression)) return unwrap(expression.getExpression())
  if (
    Node.isCallExpression(expression) &&
    expression.getExpression().getText() === 'Object.freeze'
  ) {
    const [frozen] = expression.getArguments()
    return Node.isExpression(frozen) ? unwrap(frozen) : undefined
  }
  return expression
}

function isWrapper(node: Node | undefined) {
  return (
    Node.isParenthesizedExpression(node) ||
    Node.isAsExpression(node) ||
    Node.isSatisfiesExpression(node) ||
    Node.isNonNullExpression(node) ||
    Node.isAwaitExpression(node)
  )
}
