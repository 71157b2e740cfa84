import { ts } from 'ts-morph'

/** A node with the comments above it, in one version of a file. */
export interface SyntaxItem {
  /** Identifies the item among its siblings in all versions: `property title`, `import ./post.js`. */
  readonly key: string
  /** Whether the key is a name. Other keys are the text of the item. */
  readonly isNamed: boolean
  readonly node: ts.Node
  readonly file: ts.SourceFile
  /** Positions of the text, from the first comment to the end of the node. */
  readonly start: number
  readonly end: number
}

/** Parses a script. Returns `undefined` if it has syntax errors. */
export function parseScript(path: string, text: string): ts.SourceFile | undefined {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const { diagnostics } = ts.transpileModule(text, { fileName: path, reportDiagnostics: true })
  return diagnostics?.length ? undefined : file
}

export function textOf({ file, start, end }: SyntaxItem): string {
  return file.text.slice(start, end)
}

/**
 * Returns the tokens and comments of an item as text, without layout: spaces, semicolons, trailing commas, parentheses
 * around the only parameter of an arrow function, and the kind of quotes do not count.
 */
export function normalized(item: SyntaxItem): string {
  return tokensOf(textOf(item))
}

/** Returns true if two scripts differ in their layout at most. */
export function isSameScript(one: string, other: string): boolean {
  return tokensOf(one) === tokensOf(other)
}

function tokensOf(text: string): string {
  const tokens: string[] = []
  for (const { kind, token, value } of scan(text)) {
    if (kind === ts.SyntaxKind.SemicolonToken) continue
    // A union of several lines starts with a bar.
    if (kind === ts.SyntaxKind.BarToken && /^(?:[=:(<,[]|=>)$/.test(tokens.at(-1) ?? '')) continue
    if ([')', ']', '}', '>'].includes(token) && tokens.at(-1) === ',') tokens.pop()
    const isArrow = kind === ts.SyntaxKind.EqualsGreaterThanToken
    if (isArrow && /^\( \w+ \)$/.test(tokens.slice(-3).join(' ')))
      tokens.splice(-3, 3, tokens.at(-2) ?? '')
    tokens.push(
      kind === ts.SyntaxKind.StringLiteral ? JSON.stringify(value) : token.replace(/\s+/g, ' '),
    )
  }
  return tokens.join(' ')
}

/** Yields the tokens and comments of a script. */
function* scan(text: string) {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard)
  scanner.setText(text)
  // The open braces inside each `${` of a template.
  const templates: number[] = []
  let previous = ''
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if (kind === ts.SyntaxKind.WhitespaceTrivia || kind === ts.SyntaxKind.NewLineTrivia) continue
    const open = templates.length - 1
    if (kind === ts.SyntaxKind.TemplateHead) templates.push(0)
    else if (kind === ts.SyntaxKind.OpenBraceToken && open >= 0)
      templates[open] = (templates[open] ?? 0) + 1
    else if (kind === ts.SyntaxKind.CloseBraceToken && open >= 0) {
      if (templates[open] === 0) {
        kind = scanner.reScanTemplateToken(false)
        if (kind === ts.SyntaxKind.TemplateTail) templates.pop()
      } else templates[open] = (templates[open] ?? 0) - 1
    } else if (kind === ts.SyntaxKind.SlashToken && !/[\w$)\]}'"`]$/.test(previous)) {
      kind = scanner.reScanSlashToken()
    }
    previous = scanner.getTokenText()
    yield { kind, token: previous, value: scanner.getTokenValue() }
  }
}

/** Returns the lists in which siblings may come and go: statements, members, properties, elements, arguments. */
export function listOf(node: ts.Node): readonly ts.Node[] | undefined {
  if (ts.isSourceFile(node) || ts.isBlock(node) || ts.isModuleBlock(node)) return node.statements
  if (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)) return node.members
  if (ts.isObjectLiteralExpression(node)) return node.properties
  if (ts.isArrayLiteralExpression(node)) return node.elements
  if (ts.isNamedImports(node) || ts.isNamedExports(node)) return node.elements
  if (ts.isObjectBindingPattern(node)) return node.elements
  if (ts.isUnionTypeNode(node)) return node.types
  return undefined
}

/** Returns true if the items of the list end in commas. */
export function hasCommas(list: ts.Node): boolean {
  return (
    ts.isObjectLiteralExpression(list) ||
    ts.isArrayLiteralExpression(list) ||
    ts.isNamedImports(list) ||
    ts.isNamedExports(list) ||
    ts.isObjectBindingPattern(list)
  )
}

/** Returns the items of a list with distinct keys. */
export function itemsOf(nodes: readonly ts.Node[], file: ts.SourceFile): readonly SyntaxItem[] {
  const counts = new Map<string, number>()
  return nodes.map((node) => {
    const item = itemOf(node, file)
    const name = nameOf(node, file)
    const key = name ?? normalized(item)
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return { ...item, key: `${key} ${count}`, isNamed: name !== undefined }
  })
}

export function itemOf(node: ts.Node, file: ts.SourceFile): SyntaxItem {
  const [comment] = ts.getLeadingCommentRanges(file.text, node.getFullStart()) ?? []
  // A comment at the end of the previous line belongs to the previous node.
  const isAbove =
    comment &&
    /\n|^$/.test(
      file.text.slice(node.getFullStart(), comment.pos) || (node.getFullStart() === 0 ? '' : '-'),
    )
  const start = comment && isAbove ? comment.pos : node.getStart(file)
  return { key: '', isNamed: false, node, file, start, end: node.end }
}

function nameOf(node: ts.Node, file: ts.SourceFile): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    const isType = ts.isImportDeclaration(node) ? node.importClause?.isTypeOnly : node.isTypeOnly
    const module =
      node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)
        ? node.moduleSpecifier.text
        : ''
    return `${ts.SyntaxKind[node.kind]} ${isType ? 'type ' : ''}${module}`
  }
  if (ts.isVariableStatement(node)) {
    return `variable ${node.declarationList.declarations.map(({ name }) => name.getText(file)).join()}`
  }
  if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) {
    const { expression, arguments: args } = node.expression
    const [first] = args
    const title = first && ts.isStringLiteralLike(first) ? first.text : ''
    return `call ${expression.getText(file).replace(/\s+/g, '')} ${title}`
  }
  const named = node as ts.Node & { name?: ts.Node }
  return named.name && `${groupOf(node)} ${named.name.getText(file)}`
}

/** A property keeps its key if it becomes a shorthand or a method. */
function groupOf(node: ts.Node): string {
  return ts.isObjectLiteralElementLike(node) ? 'property' : (ts.SyntaxKind[node.kind] ?? '')
}
