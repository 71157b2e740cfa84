import { Node } from 'ts-morph'
import { type Addition, manualLines } from './addition.ts'
import { appendItem } from './append-item.ts'
import { type CallCode, callOnOneLine, formatCall, lineWidth } from './call-code.ts'
import { findFunction } from './functions.ts'
import { missingImports } from './import-use.ts'
import { type CodeNames, writeAsEmitted, writeForFile } from './name-use.ts'
import {
  assertTypesAllow,
  findProperty,
  findReturnedObject,
  type ReturnedObject,
} from './returned-object.ts'

/** Adds a property to the object that the function returns. Leaves an existing property unchanged. */
export function returnedProperty(
  functionName: string,
  property: string,
  write: (names: CodeNames) => CallCode,
): Addition {
  const where = `in the object that ${functionName} returns`
  return {
    lines: manualLines(where, (names) => `${property}: ${callOnOneLine(write(names))},`),
    edits: (file) => {
      const fn = findFunction(file.source, functionName)
      const returned = findReturnedObject(fn, functionName)
      const existing = findProperty(fn, returned, property)
      if (existing) return missingImports(file, existing, writeAsEmitted(write).uses)
      assertTypesAllow(fn, returned, property)
      const { object } = returned
      const { code, edits } = writeForFile({ file, node: object }, write)
      const item = (indent: string | undefined) =>
        indent === undefined
          ? `${property}: ${callOnOneLine(code)}`
          : // Reserve one column for the comma.
            formatCall(`${property}: `, code, '', indent, file.style, lineWidth - 1)
      return [...edits, ...appendItem(file, object, item, lastProperty(returned))]
    },
  }
}

/** Returns the last property before the final spreads, which must keep overriding. */
function lastProperty({ object }: ReturnedObject): Node | undefined {
  return object.getProperties().findLast((property) => !Node.isSpreadAssignment(property))
}
