import { type Identifier, Node, SyntaxKind } from 'ts-morph'
import { type Addition, linesByHand } from './addition.ts'
import { type Call, layOut, onOneLine } from './call-code.ts'
import { type Edit, insertion } from './edit.ts'
import { type FunctionNode, findFunction, returnedExpression } from './functions.ts'
import { importsMissingIn } from './import-use.ts'
import { behindComments, indentAt, startsLine } from './lines.ts'
import { type Words, writeAsEmitted, writeIn } from './name-use.ts'
import { PlaceNotFound } from './place-not-found.ts'
import { declarationsOf } from './scope.ts'
import { unwrap } from './unwrap.ts'
import type { WireFile } from './wire-file.ts'

export interface StatementBeforeReturn {
  readonly functionName: string
  /** What emitted code calls the variable that the function returns. */
  readonly returned: string
  readonly write: (words: Words, returned: string) => Call
  /** The node that does already what the statement is for. */
  readonly findExisting: (
    file: WireFile,
    fn: FunctionNode,
    returned: Identifier,
  ) => Node | undefined
}

/** A statement about the variable that a function returns, put before the return. */
export function statementBeforeReturn(added: StatementBeforeReturn): Addition {
  const { functionName, write } = added
  const asEmitted = (words: Words) => write(words, added.returned)
  return {
    lines: linesByHand(`before ${functionName} returns`, (words) => onOneLine(asEmitted(words))),
    edits: (file) => {
      const fn = findFunction(file.source, functionName)
      const returned = findReturnedVariable(fn, functionName)
      const existing = added.findExisting(file, fn, returned)
      if (existing) return importsMissingIn(file, existing, writeAsEmitted(asEmitted).uses)
      const { code, edits } = writeIn({ file, node: returned }, (words) =>
        write(words, returned.getText()),
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

function beforeReturn({ text, style }: WireFile, returned: Identifier, code: Call): Edit[] {
  const statement = returned.getFirstAncestorByKind(SyntaxKind.ReturnStatement)
  const block = statement?.getParent()
  if (!statement || !Node.isBlock(block)) {
    throw new PlaceNotFound(`a return statement of ${returned.getText()} in a block`)
  }
  const start = statement.getStart()
  if (!startsLine(text, start)) return [insertion(start, `${onOneLine(code)}; `)]
  const indent = indentAt(text, start)
  const added = layOut('', code, style.semicolon, indent, style)
  const previous = block.getStatements().findLast((other) => other.getEnd() <= start)
  if (previous === undefined) return [insertion(start, added + style.newline + indent)]
  return [insertion(behindComments(text, previous.getEnd()).at, style.newline + indent + added)]
}
