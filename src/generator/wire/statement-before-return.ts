import { type CallExpression, type Expression, type Identifier, Node, SyntaxKind } from 'ts-morph'
import { type Addition, manualLines } from './addition.ts'
import { type CallCode, callOnOneLine, formatCall } from './call-code.ts'
import { declarationsOf } from './declarations.ts'
import { type Edit, insertion } from './edit.ts'
import { type FunctionNode, findFunction, returnedExpression } from './functions.ts'
import { missingImports } from './import-use.ts'
import { afterComments, indentAt, startsLine } from './lines.ts'
import { type CodeNames, writeAsEmitted, writeForFile } from './name-use.ts'
import { PlaceNotFound } from './place-not-found.ts'
import { unwrap } from './unwrap.ts'
import type { WireFile } from './wire-file.ts'

export interface StatementBeforeReturn {
  readonly functionName: string
  /** The emitted name of the variable that the function returns. */
  readonly returned: string
  readonly write: (names: CodeNames, returned: string) => CallCode
  /** Finds existing code with the effect of the statement. */
  readonly findExisting: (
    file: WireFile,
    fn: FunctionNode,
    returned: Expression,
  ) => Node | undefined
}

/** Adds a statement before the return of a function, about the returned variable. */
export function statementBeforeReturn(added: StatementBeforeReturn): Addition {
  const { functionName, write } = added
  const asEmitted = (names: CodeNames) => write(names, added.returned)
  return {
    lines: manualLines(`before ${functionName} returns`, (names) =>
      callOnOneLine(asEmitted(names)),
    ),
    edits: (file) => {
      const fn = findFunction(file.source, functionName)
      const returned = findReturned(fn, functionName)
      const existing = added.findExisting(file, fn, returned)
      if (existing) return missingImports(file, existing, writeAsEmitted(asEmitted).uses)
      const { code, edits } = writeForFile({ file, node: returned }, (names) =>
        write(names, Node.isIdentifier(returned) ? returned.getText() : ''),
      )
      return [
        ...edits,
        ...(Node.isIdentifier(returned)
          ? beforeReturn(file, returned, code)
          : afterChain(file, returned, code)),
      ]
    },
  }
}

/** Finds the returned variable, or the chain of calls that the function returns: `Router().use(…)`. */
function findReturned(fn: FunctionNode, functionName: string): Identifier | CallExpression {
  const value = unwrap(returnedExpression(fn, functionName))
  const [declaration] = declarationsOf(value?.getText() ?? '', value ?? fn) ?? []
  const isVariable =
    Node.isVariableDeclaration(declaration) || Node.isParameterDeclaration(declaration)
  if (Node.isIdentifier(value) && isVariable) return value
  if (Node.isCallExpression(value) && isNewRouter(value)) return value
  throw new PlaceNotFound(`a variable that ${functionName} returns`)
}

/** Returns true for `Router()`, and for a chain that starts with it. */
function isNewRouter(call: CallExpression): boolean {
  const callee = call.getExpression()
  const before = Node.isPropertyAccessExpression(callee) ? callee.getExpression() : undefined
  if (Node.isCallExpression(before)) return isNewRouter(before)
  return /^(?:\w+\s*\.\s*)?Router$/.test(callee.getText())
}

/** Appends a call to a chain, on a line of its own if the last link has one. */
function afterChain({ text, style }: WireFile, chain: CallExpression, code: CallCode): Edit[] {
  const callee = chain.getExpression()
  const dot = Node.isPropertyAccessExpression(callee)
    ? callee.getNameNode().getStart() - 1
    : undefined
  if (dot === undefined || !startsLine(text, dot))
    return [insertion(chain.getEnd(), callOnOneLine(code))]
  const indent = indentAt(text, dot)
  const added = formatCall('', code, '', indent, style)
  return [insertion(chain.getEnd(), style.newline + indent + added)]
}

function beforeReturn({ text, style }: WireFile, returned: Identifier, code: CallCode): Edit[] {
  const statement = returned.getFirstAncestorByKind(SyntaxKind.ReturnStatement)
  const block = statement?.getParent()
  if (!statement || !Node.isBlock(block)) {
    throw new PlaceNotFound(`a return statement of ${returned.getText()} in a block`)
  }
  const start = statement.getStart()
  if (!startsLine(text, start)) return [insertion(start, `${callOnOneLine(code)}; `)]
  const indent = indentAt(text, start)
  const added = formatCall('', code, style.semicolon, indent, style)
  const previous = block.getStatements().findLast((other) => other.getEnd() <= start)
  if (previous === undefined) return [insertion(start, added + style.newline + indent)]
  return [insertion(afterComments(text, previous.getEnd()).at, style.newline + indent + added)]
}
