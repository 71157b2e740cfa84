import { Node, type ParameterDeclaration } from 'ts-morph'
import { enclosingFunction } from './functions.ts'
import type { Use } from './name-use.ts'
import { PlaceNotFound } from './place-not-found.ts'
import { assertMeans } from './scope.ts'
import { assertHas } from './stated-type.ts'
import { withoutUnderscore } from './without-underscore.ts'

/**
 * The use of a function's parameter, whatever a person calls it: the one of that type, else of that
 * name, else the first. `member` is a property that its type must have.
 */
export function parameter(usual: string, type: string, member?: string): Use {
  return use(usual, (all) => {
    const chosen =
      all.find((each) => each.getTypeNode()?.getText() === type) ?? named(all, usual) ?? all[0]
    if (member !== undefined) assertHas(chosen?.getTypeNode(), member)
    return chosen
  })
}

/** The use of the parameter of that name, or else of the one whose declaration speaks of `topic`. */
export function parameterAbout(usual: string, topic: RegExp): Use {
  return use(usual, (all) => named(all, usual) ?? all.find((each) => topic.test(each.getText())))
}

type Choose = (all: readonly ParameterDeclaration[]) => ParameterDeclaration | undefined

function use(usual: string, choose: Choose): Use {
  return {
    usual,
    find: ({ node }) => {
      const fn = enclosingFunction(node)
      const chosen = choose(fn?.getParameters() ?? [])
      const name = chosen?.getNameNode()
      if (!fn || !chosen || !Node.isIdentifier(name) || chosen.isRestParameter()) {
        throw new PlaceNotFound(`a parameter for ${usual}`)
      }
      assertMeans(name.getText(), chosen, node)
      return withoutUnderscore(name, fn)
    },
  }
}

function named(all: readonly ParameterDeclaration[], usual: string) {
  return all.find((each) => each.getName().replace(/^_/, '') === usual)
}
