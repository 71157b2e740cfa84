import { basename } from 'node:path'
import { ts } from 'ts-morph'
import type { Edit } from './edits.ts'
import type { Program } from './language.ts'
import type { PrismaModel, PrismaNames } from './prisma-names.ts'

/**
 * Renames uses of Prisma's client in a script: `prisma.post`, `Prisma.PostWhereInput`, members of queries, and members of
 * rows. `prisma generate` writes the client, so its types can be missing or stale: queries are found by syntax, and only
 * rows need the types.
 */
export function prismaEdits(program: Program, path: string, names: PrismaNames): readonly Edit[] {
  const script = program.script(path)
  const checker = program.service.getProgram()?.getTypeChecker()
  if (script === undefined || checker === undefined) return []
  const delegates = new Map([...names.keys()].map((type) => [lowerFirst(type), type]))
  const edits = new Map<ts.Node, Edit>()
  const add = (name: ts.Node, from: string, to: string, suffix = '') => {
    if (from === to) return
    const isKey = suffix === ''
    edits.set(name, { start: name.getStart(script), length: from.length, text: to, suffix, isKey })
  }

  visit(script, findQueries)
  visit(script, findRows)
  return [...edits.values()]

  function findQueries(node: ts.Node): void {
    if (ts.isQualifiedName(node) && node.left.getText(script) === 'Prisma') renameType(node.right)
    if (ts.isPropertyAccessExpression(node)) {
      const model = delegates.get(node.name.text)
      if (model && isDelegate(node)) add(node.name, node.name.text, lowerFirst(typeOf(model)))
    }
    if (ts.isBindingElement(node)) {
      const name = node.propertyName ?? node.name
      const model = ts.isIdentifier(name) && isTransaction(node) && delegates.get(name.text)
      if (model && ts.isIdentifier(name)) renameName(name, lowerFirst(typeOf(model)))
    }
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const model = modelOf(node.expression.expression)
      for (const argument of node.arguments) if (model) renameQuery(argument, model)
    }
    const typed = typedValue(node)
    const model = typed && modelOfType(typed.type)
    if (model && typed) renameQuery(typed.value, model)
  }

  function renameType(name: ts.Identifier): void {
    const model = modelOfName(name.text)
    if (model) add(name, name.text, typeOf(model) + name.text.slice(model.length))
  }

  /** Renames the members of a model in a query. Values of scalars are data, relations lead to another model. */
  function renameQuery(node: ts.Node, model: string): void {
    if (!ts.isObjectLiteralExpression(node)) {
      const isNested =
        ts.isArrayLiteralExpression(node) ||
        ts.isConditionalExpression(node) ||
        ts.isParenthesizedExpression(node) ||
        ts.isAsExpression(node) ||
        ts.isSatisfiesExpression(node)
      if (isNested) ts.forEachChild(node, (child) => renameQuery(child, model))
      return
    }
    for (const property of node.properties) {
      const { name } = property
      if (name === undefined || !ts.isIdentifier(name)) continue
      const { renamed, relations, scalars } = names.get(model) ?? {}
      const to = renamed?.get(name.text)
      if (to !== undefined) renameName(name, to)
      if (!ts.isPropertyAssignment(property) || scalars?.has(name.text)) continue
      renameQuery(property.initializer, relations?.get(name.text) ?? model)
    }
  }

  /** Renames members of rows: the generated client declares them, or a part of a query that was renamed. */
  function findRows(node: ts.Node): void {
    if (!ts.isIdentifier(node) || edits.has(node)) return
    const isAccess = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node
    const isBinding =
      ts.isBindingElement(node.parent) && ts.isObjectBindingPattern(node.parent.parent)
    if (!isAccess && !isBinding) return
    if (![...names.values()].some(({ renamed }) => renamed.has(node.text))) return
    const declarations = declarationsOf(node)
    const computed = declarations.length === 0 ? computedName(node) : undefined
    const [to = computed] = declarations.flatMap((declaration) => {
      const edited = ts.isPropertyAssignment(declaration) && edits.get(declaration.name)
      if (edited) return [edited.text]
      const { fileName } = declaration.getSourceFile()
      const model = fileName.includes('/src/generated/') ? basename(fileName, '.ts') : ''
      return names.get(model)?.renamed.get(node.text) ?? []
    })
    if (to !== undefined) renameName(node, to)
  }

  /**
   * Returns the new name of a member that no code declares, because Prisma computes the types of rows from queries. The
   * models whose members include all members of the row must agree.
   */
  function computedName(name: ts.Identifier): string | undefined {
    const row = ts.isPropertyAccessExpression(name.parent)
      ? name.parent.expression
      : name.parent.parent
    const type = checker?.getNonNullableType(checker.getTypeAtLocation(row))
    const members = type?.getProperties().map((member) => member.name) ?? []
    if (type === undefined || !isOfPrisma(type) || !members.includes(name.text)) return undefined
    const found = [...names.values()]
      .filter((model) => members.every((member) => isMember(model, member)))
      .map(({ renamed }) => renamed.get(name.text))
    return new Set(found).size === 1 ? found[0] : undefined
  }

  function declarationsOf(name: ts.Identifier): readonly ts.Declaration[] {
    const { parent } = name
    if (!ts.isBindingElement(parent)) return checker?.getSymbolAtLocation(name)?.declarations ?? []
    if (parent.propertyName !== undefined && parent.propertyName !== name) return []
    const type = checker?.getTypeAtLocation(parent.parent)
    return type?.getProperty(name.text)?.declarations ?? []
  }

  /** Renames a property. A shorthand keeps the name of its variable. */
  function renameName(name: ts.Identifier, to: string): void {
    const { parent } = name
    const isShorthand =
      ts.isShorthandPropertyAssignment(parent) ||
      (ts.isBindingElement(parent) && parent.propertyName === undefined)
    add(name, name.text, to, isShorthand ? `: ${name.text}` : '')
  }

  /** Returns the model of a delegate: `prisma.post`, or a constant or parameter that stands for it. */
  function modelOf(node: ts.Expression): string | undefined {
    if (ts.isPropertyAccessExpression(node)) return delegates.get(node.name.text)
    if (!ts.isIdentifier(node)) return undefined
    const declaration = checker?.getSymbolAtLocation(node)?.valueDeclaration
    if (declaration === undefined) return undefined
    if (ts.isBindingElement(declaration)) {
      const name = declaration.propertyName ?? declaration.name
      return isTransaction(declaration) && ts.isIdentifier(name)
        ? delegates.get(name.text)
        : undefined
    }
    if (ts.isParameter(declaration) && declaration.type) return modelOfType(declaration.type)
    const value = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined
    return value && ts.isPropertyAccessExpression(value) && isClient(value.expression)
      ? modelOf(value)
      : undefined
  }

  function modelOfType(type: ts.TypeNode): string | undefined {
    if (!ts.isTypeReferenceNode(type) || !ts.isQualifiedName(type.typeName)) return undefined
    const { left, right } = type.typeName
    return left.getText(script) === 'Prisma' ? modelOfName(right.text) : undefined
  }

  /** Returns the model of a type of the client: the longest name that the type starts with. */
  function modelOfName(name: string): string | undefined {
    return [...names.keys()]
      .filter((model) => name.startsWith(model) && /^(?:[A-Z$]|$)/.test(name.slice(model.length)))
      .sort((a, b) => b.length - a.length)[0]
  }

  function typeOf(model: string): string {
    return names.get(model)?.type ?? model
  }

  function isDelegate(node: ts.PropertyAccessExpression): boolean {
    return isClient(node.expression)
  }

  /** Returns true for `prisma`, `this.prisma`, `store.prisma`, and for the parameter of a transaction. */
  function isClient(node: ts.Expression): boolean {
    if (ts.isPropertyAccessExpression(node)) return node.name.text === 'prisma'
    if (!ts.isIdentifier(node)) return false
    if (node.text === 'prisma') return true
    const declaration = checker?.getSymbolAtLocation(node)?.valueDeclaration
    return (
      declaration !== undefined && ts.isParameter(declaration) && isTransactionBody(declaration)
    )
  }

  /** Returns true for `async ({ post }) => …` as the body of a transaction. */
  function isTransaction(node: ts.BindingElement): boolean {
    const { parent } = node.parent
    return ts.isParameter(parent) && isTransactionBody(parent)
  }

  function isTransactionBody({ parent }: ts.ParameterDeclaration): boolean {
    const call = parent.parent
    return ts.isCallExpression(call) && call.expression.getText(script).endsWith('.$transaction')
  }
}

/** Returns true for a type that Prisma's client or its runtime computes. */
function isOfPrisma(type: ts.Type): boolean {
  if (type.isUnionOrIntersection()) return type.types.some(isOfPrisma)
  const declarations = type.symbol?.declarations ?? []
  return declarations.some((declaration) =>
    /\/(?:@prisma\/client|src\/generated)\//.test(declaration.getSourceFile().fileName),
  )
}

const managed: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt', '_count'])

function isMember({ scalars, relations }: PrismaModel, name: string): boolean {
  return managed.has(name) || scalars.has(name) || relations.has(name)
}

function visit(node: ts.Node, found: (node: ts.Node) => void): void {
  found(node)
  ts.forEachChild(node, (child) => visit(child, found))
}

function typedValue(
  node: ts.Node,
): { readonly value: ts.Expression; readonly type: ts.TypeNode } | undefined {
  if (ts.isSatisfiesExpression(node) || ts.isAsExpression(node))
    return { value: node.expression, type: node.type }
  if (ts.isVariableDeclaration(node) && node.type && node.initializer)
    return { value: node.initializer, type: node.type }
  return undefined
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}
