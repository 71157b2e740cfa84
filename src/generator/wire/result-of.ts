import { Node } from 'ts-morph'
import { enclosingFunction } from './functions.ts'
import type { Import } from './import.ts'
import { localName } from './import-use.ts'
import type { Use } from './name-use.ts'
import { PlaceNotFound } from './place-not-found.ts'
import { assertMeans } from './scope.ts'
import { unwrap } from './unwrap.ts'

/** The use of the variable that holds what a call of the function gave. */
export function resultOf(callee: Import, usual: string): Use {
  return {
    usual,
    find: ({ file, node }) => {
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
        throw new PlaceNotFound(`one variable that holds what ${name} gives`)
      }
      assertMeans(variable.getName(), variable, node)
      return { name: variable.getName(), edits: [] }
    },
  }
}
