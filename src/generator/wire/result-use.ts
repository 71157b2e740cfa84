import { Node } from 'ts-morph'
import { assertRefersTo } from './declarations.ts'
import { enclosingFunction } from './functions.ts'
import { localName } from './import-use.ts'
import type { NameUse } from './name-use.ts'
import type { NamedImport } from './named-import.ts'
import { PlaceNotFound } from './place-not-found.ts'
import { unwrap } from './unwrap.ts'

/** Uses the variable with the result of a call of the function. */
export function resultUse(callee: NamedImport, emittedName: string): NameUse {
  return {
    emittedName,
    resolve: ({ file, node }) => {
      const name = localName(file.source, callee)
      const fn = enclosingFunction(node)
      const [variable, ...others] = (fn?.getDescendants() ?? [])
        .filter(Node.isVariableDeclaration)
        .filter((each) => {
          const value = unwrap(each.getInitializer())
          const called = Node.isCallExpression(value) ? value.getExpression().getText() : ''
          return called === name || called.endsWith(`.${callee.name}`)
        })
      const isReady = variable && others.length === 0 && variable.getEnd() <= node.getStart()
      if (!isReady || !Node.isIdentifier(variable.getNameNode())) {
        throw new PlaceNotFound(`a single variable with the result of ${name}`)
      }
      assertRefersTo(variable.getName(), variable, node)
      return { name: variable.getName(), edits: [] }
    },
  }
}
