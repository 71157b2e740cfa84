import { type Expression, type Identifier, Node } from 'ts-morph'
import type { Transform } from './addition.ts'
import { arrayElement } from './array-element.ts'
import { call } from './call-code.ts'
import type { FunctionNode } from './functions.ts'
import { imported, localName } from './import-use.ts'
import { parameter } from './parameter.ts'
import { declarationsOf, namesIn } from './scope.ts'
import { statementBeforeReturn } from './statement-before-return.ts'

/** src/routes.ts: the feature's router under its path, and its part of /openapi.json. */
export const routes: Transform = ({ entity }) => {
  const { pascal, camel, kebab, plural } = entity
  const path = `/${plural.kebab}`
  const router = {
    name: `create${pascal}Router`,
    from: `./handlers/${kebab}.handler.js`,
    isType: false,
  }
  const doc = { name: `${camel}Doc`, from: `./handlers/${kebab}.schema.js`, isType: false }
  const createRouter = imported(router)
  const container = parameter('container', 'Container', plural.camel)

  return [
    statementBeforeReturn({
      functionName: 'createRoutes',
      returned: 'api',
      write: ({ nameOf, quote }, api) => {
        const service = `${nameOf(container)}.${plural.camel}`
        return call(`${api}.use`, quote(path), `${nameOf(createRouter)}(${service})`)
      },
      findExisting: ({ source }, fn, api) =>
        useOf(fn, localName(source, router)) ?? mountOn(fn, api, path),
    }),
    arrayElement('apiDocs', doc),
  ]
}

/** What uses the name, unless the function itself gives it another meaning. */
function useOf(fn: FunctionNode, name: string): Node | undefined {
  const used = namesIn(fn).find((each) => each.getText() === name)
  const declared = used && declarationsOf(name, used)
  const isOwn = declared?.some((each) => each.getAncestors().some((ancestor) => ancestor === fn))
  return isOwn ? undefined : used?.getParent()
}

/** The call that mounts something else under the path: `api.use('/posts', …)`. */
function mountOn(fn: FunctionNode, api: Identifier, path: string): Node | undefined {
  const [variable] = declarationsOf(api.getText(), api) ?? []
  return fn
    .getDescendants()
    .filter(Node.isCallExpression)
    .find((each) => {
      const [first] = each.getArguments()
      if (!/\.(?:use|all|route)$/.test(each.getExpression().getText())) return false
      if (!Node.isStringLiteral(first) || first.getLiteralValue() !== path) return false
      const isChained = each.getAncestors().some((ancestor) => ancestor === variable)
      return isChained || rootOf(each).getText() === api.getText()
    })
}

/** What a chain of calls starts at: `api` of `api.use(…).use(…)`. */
function rootOf(expression: Expression): Expression {
  const isLink = Node.isCallExpression(expression) || Node.isPropertyAccessExpression(expression)
  return isLink ? rootOf(expression.getExpression()) : expression
}
