import { Node, type VariableDeclaration } from 'ts-morph'
import { type Addition, linesByHand } from './addition.ts'
import { appendItem } from './append-item.ts'
import type { Import } from './import.ts'
import { imported, importsMissingIn, localName } from './import-use.ts'
import { writeIn } from './name-use.ts'
import { PlaceNotFound } from './place-not-found.ts'
import { namesIn } from './scope.ts'
import { unwrap } from './unwrap.ts'
import type { WireFile } from './wire-file.ts'

/** An imported element of the array that the variable holds, unless the two meet already. */
export function arrayElement(variable: string, need: Import): Addition {
  const use = imported(need)
  return {
    lines: linesByHand(`in the array ${variable}`, ({ nameOf }) => `${nameOf(use)},`),
    edits: (file) => {
      const existing = meeting(file, variable, localName(file.source, need))
      if (existing) return importsMissingIn(file, existing, [use])
      const array = findArray(file, variable)
      const { code, edits } = writeIn({ file, node: array }, ({ nameOf }) => nameOf(use))
      return [...edits, ...appendItem(file, array, () => code)]
    },
  }
}

function findArray({ source }: WireFile, name: string) {
  const found = source.getVariableDeclarations().filter(isNamed(name))
  const array = unwrap(found[0]?.getInitializer())
  if (Node.isArrayLiteralExpression(array) && found.length === 1) return array
  throw new PlaceNotFound(`the array literal ${name}`)
}

function isNamed(name: string) {
  return (variable: VariableDeclaration) => variable.getName() === name
}

/** The statement that speaks of both: the variable's own, or a later `push`. */
function meeting({ source }: WireFile, variable: string, element: string): Node | undefined {
  return source.getStatements().find((statement) => {
    const names = new Set(namesIn(statement).map((name) => name.getText()))
    return !Node.isImportDeclaration(statement) && names.has(variable) && names.has(element)
  })
}
