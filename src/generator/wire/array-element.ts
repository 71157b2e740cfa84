import { Node, type VariableDeclaration } from 'ts-morph'
import { type Addition, manualLines } from './addition.ts'
import { appendItem } from './append-item.ts'
import { identifiersIn } from './declarations.ts'
import { importUse, localName, missingImports } from './import-use.ts'
import { writeForFile } from './name-use.ts'
import type { NamedImport } from './named-import.ts'
import { PlaceNotFound } from './place-not-found.ts'
import { unwrap } from './unwrap.ts'
import type { WireFile } from './wire-file.ts'

/** Adds an imported element to the array in a variable, unless a statement contains both names. */
export function arrayElement(variable: string, need: NamedImport): Addition {
  const use = importUse(need)
  return {
    lines: manualLines(`in the array ${variable}`, ({ nameOf }) => `${nameOf(use)},`),
    edits: (file) => {
      const existing = statementWithBoth(file, variable, localName(file.source, need))
      if (existing) return missingImports(file, existing, [use])
      const array = findArray(file, variable)
      const { code, edits } = writeForFile({ file, node: array }, ({ nameOf }) => nameOf(use))
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

/** Finds the statement with both names: the variable's declaration, or a later `push`. */
function statementWithBoth(
  { source }: WireFile,
  variable: string,
  element: string,
): Node | undefined {
  return source.getStatements().find((statement) => {
    const names = new Set(identifiersIn(statement).map((name) => name.getText()))
    return !Node.isImportDeclaration(statement) && names.has(variable) && names.has(element)
  })
}
