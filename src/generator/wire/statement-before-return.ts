import { type Identifier, Node, SyntaxKind } from 'ts-morph'
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
    returned: Identifier,
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
      const returned = findReturnedVariable(fn, functionName)
      const existing = added.findExisting(file, fn, returned)
      if (existing) return missingImports(file, existing, writeAsEmitted(asEmitted).uses)
      const { code, edits } = writeForFile({ file, node: returned }, (names) =>
        write(names, returned.getText()),
      )
      return [...edits, ...beforeReturn(file, returned, code)]
    },
  }
}

function findReturnedVariable(fn: FunctionNode, functionName: string): Identifier {
  const value = unwrap(returnedExpression(fn, functionName))
  const [declaration] = declarationsOf(value?.getText() ?? '', value ?? fn) ?? []
  const isVariable =
    Node.isVariableDeclaration(declaration) || Node.isParameterDeclaration(declaration)
  if (Node.isIdentifier(value) && isVariable) return value
  throw new PlaceNotFound(`a variable that ${functionName} returns`)
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
