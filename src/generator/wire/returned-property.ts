import { Node } from 'ts-morph'
import { type Addition, linesByHand } from './addition.ts'
import { appendItem } from './append-item.ts'
import { type Call, columns, layOut, onOneLine } from './call-code.ts'
import { findFunction } from './functions.ts'
import { importsMissingIn } from './import-use.ts'
import { type Words, writeAsEmitted, writeIn } from './name-use.ts'
import {
  assertTyped,
  findProperty,
  findReturnedObject,
  type ReturnedObject,
} from './returned-object.ts'

/** A property of the object that the function returns. One that is there already is left alone. */
export function returnedProperty(
  functionName: string,
  property: string,
  write: (words: Words) => Call,
): Addition {
  const where = `in the object that ${functionName} returns`
  return {
    lines: linesByHand(where, (words) => `${property}: ${onOneLine(write(words))},`),
    edits: (file) => {
      const fn = findFunction(file.source, functionName)
      const returned = findReturnedObject(fn, functionName)
      const existing = findProperty(fn, returned, property)
      if (existing) return importsMissingIn(file, existing, writeAsEmitted(write).uses)
      assertTyped(fn, returned, property)
      const { object } = returned
      const { code, edits } = writeIn({ file, node: object }, write)
      const item = (indent: string | undefined) =>
        indent === undefined
          ? `${property}: ${onOneLine(code)}`
          : // A comma comes behind it.
            layOut(`${property}: `, code, '', indent, file.style, columns - 1)
      return [...edits, ...appendItem(file, object, item, lastProperty(returned))]
    },
  }
}

/** The last property but for spreads behind it: these go on overriding. */
function lastProperty({ object }: ReturnedObject): Node | undefined {
  return object.getProperties().findLast((property) => !Node.isSpreadAssignment(property))
}
