import { Node, type ParameterDeclaration } from 'ts-morph'
import { assertRefersTo } from './declarations.ts'
import { assertHasMember } from './declared-type.ts'
import { enclosingFunction } from './functions.ts'
import type { NameUse } from './name-use.ts'
import { PlaceNotFound } from './place-not-found.ts'
import { withoutUnderscore } from './without-underscore.ts'

/**
 * Uses a parameter of the enclosing function: the parameter of that type, otherwise of that name, otherwise the first.
 * `member` is a property that its type must have.
 */
export function parameterUse(emittedName: string, type: string, member?: string): NameUse {
  return use(emittedName, (all) => {
    const chosen =
      all.find((each) => each.getTypeNode()?.getText() === type) ??
      named(all, emittedName) ??
      all[0]
    if (member !== undefined) assertHasMember(chosen?.getTypeNode(), member)
    return chosen
  })
}

/** Uses the parameter of that name, or else the first parameter whose declaration matches `topic`. */
export function parameterUseMatching(emittedName: string, topic: RegExp): NameUse {
  return use(
    emittedName,
    (all) => named(all, emittedName) ?? all.find((each) => topic.test(each.getText())),
  )
}

type Choose = (all: readonly ParameterDeclaration[]) => ParameterDeclaration | undefined

function use(emittedName: string, choose: Choose): NameUse {
  return {
    emittedName,
    resolve: ({ node }) => {
      const fn = enclosingFunction(node)
      const chosen = choose(fn?.getParameters() ?? [])
      const name = chosen?.getNameNode()
      if (!fn || !chosen || !Node.isIdentifier(name) || chosen.isRestParameter()) {
        throw new PlaceNotFound(`a parameter for ${emittedName}`)
      }
      assertRefersTo(name.getText(), chosen, node)
      return withoutUnderscore(name, fn)
    },
  }
}

function named(all: readonly ParameterDeclaration[], emittedName: string) {
  return all.find((each) => each.getName().replace(/^_/, '') === emittedName)
}
