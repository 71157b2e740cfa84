import { type Expression, Node } from 'ts-morph'
import type { Transform } from './addition.ts'
import { arrayElement } from './array-element.ts'
import { callCode } from './call-code.ts'
import { declarationsOf, identifiersIn } from './declarations.ts'
import type { FunctionNode } from './functions.ts'
import { importUse, localName } from './import-use.ts'
import { parameterUse } from './parameter-use.ts'
import { resultUse } from './result-use.ts'
import { statementBeforeReturn } from './statement-before-return.ts'

/** Adds the feature's router and its part of /openapi.json to src/routes.ts. */
export const routes: Transform = ({ entity, protect }, { isProtected = protect !== 'none' }) => {
  const { pascal, camel, kebab, plural } = entity
  const path = `/${plural.kebab}`
  const router = {
    name: `create${pascal}Router`,
    from: `./handlers/${kebab}.handler.js`,
    isType: false,
  }
  const doc = { name: `${camel}Doc`, from: `./handlers/${kebab}.schema.js`, isType: false }
  const createRouter = importUse(router)
  const guard = resultUse(createGuard, 'requireCaller')
  const container = parameterUse('container', 'Container', plural.camel)

  return [
    statementBeforeReturn({
      functionName: 'createRoutes',
      returned: 'api',
      write: ({ nameOf, quote }, api) => {
        const service = `${nameOf(container)}.${plural.camel}`
        const args = !isProtected ? service : `${service}, ${nameOf(guard)}`
        return callCode(`${api}.use`, quote(path), `${nameOf(createRouter)}(${args})`)
      },
      findExisting: ({ source }, fn, api) =>
        findUse(fn, localName(source, router)) ?? findMount(fn, api, path),
    }),
    arrayElement('apiDocs', doc),
  ]
}

const createGuard = { name: 'createRequireCaller', from: './http/auth.js', isType: false }

/** Finds a use of the name, unless the function declares the name itself. */
function findUse(fn: FunctionNode, name: string): Node | undefined {
  const used = identifiersIn(fn).find((each) => each.getText() === name)
  const declared = used && declarationsOf(name, used)
  const isOwn = declared?.some((each) => each.getAncestors().some((ancestor) => ancestor === fn))
  return isOwn ? undefined : used?.getParent()
}

/** Finds a call that mounts anything under the path: `api.use('/posts', …)`. */
function findMount(fn: FunctionNode, api: Expression, path: string): Node | undefined {
  const [variable] = Node.isIdentifier(api) ? (declarationsOf(api.getText(), api) ?? []) : []
  return fn
    .getDescendants()
    .filter(Node.isCallExpression)
    .find((each) => {
      const [first] = each.getArguments()
      if (!/\.(?:use|all|route)$/.test(each.getExpression().getText())) return false
      if (!Node.isStringLiteral(first) || first.getLiteralValue() !== path) return false
      const isChained = each.getAncestors().some((ancestor) => ancestor === variable)
      return (
        isChained ||
        (Node.isIdentifier(api)
          ? rootOf(each).getText() === api.getText()
          : rootOf(each) === rootOf(api))
      )
    })
}

/** Returns the start of a chain of calls: `api` of `api.use(…).use(…)`. */
function rootOf(expression: Expression): Expression {
  const isLink = Node.isCallExpression(expression) || Node.isPropertyAccessExpression(expression)
  return isLink ? rootOf(expression.getExpression()) : expression
}
