import { ts } from 'ts-morph'
import { type Merged, showHunk, type Texts } from './merge.ts'
import {
  hasCommas,
  itemOf,
  itemsOf,
  listOf,
  normalized,
  parseScript,
  type SyntaxItem,
  textOf,
} from './syntax-node.ts'

/** A replacement in the person's text. */
interface Edit {
  readonly start: number
  readonly end: number
  readonly mine: string
  readonly theirs: string
}

type Versions<Item> = readonly [base: Item, disk: Item, next: Item]

/**
 * Merges three versions of a script by syntax: declarations, members, properties and elements match by name. Layout
 * does not count as a change. The result is the person's text with the generator's changes. Returns `undefined` if a
 * version does not parse.
 */
export function mergeSyntax(path: string, { base, disk, next }: Texts): Merged | undefined {
  const files = [base, disk, next].map((text) => parseScript(path, text))
  const [before, yours, ours] = files
  if (!before || !yours || !ours) return undefined
  const edits: Edit[] = []
  const hunks: string[] = []
  mergeList([before, yours, ours], { edits, hunks })
  const [mine, theirs] = [applyEdits(disk, edits, 'mine'), applyEdits(disk, edits, 'theirs')]
  // The caller then shows the lines that conflict, instead of writing a text that does not parse.
  if (!parseScript(path, mine) || !parseScript(path, theirs)) return undefined
  return { hunks, mine, theirs }
}

interface Result {
  readonly edits: Edit[]
  readonly hunks: string[]
}

/** Merges three nodes that are lists. */
function mergeList(nodes: Versions<ts.Node>, result: Result): void {
  const lists = nodes.map((node) => itemsOf(listOf(node) ?? [], node.getSourceFile()))
  const [base, disk, next] = pairStatements(lists[0] ?? [], lists[1] ?? [], lists[2] ?? [])
  const find = (items: readonly SyntaxItem[], key: string) => items.find((item) => item.key === key)
  for (const item of disk) {
    const [before, ours] = [find(base, item.key), find(next, item.key)]
    if (before && ours) mergeItem([before, item, ours], result)
    else if (before) removeItem(before, item, nodes[1], result)
    else if (ours) mergeAdded(item, ours, result)
  }
  next.forEach((item, index) => {
    if (find(disk, item.key)) return
    const before = find(base, item.key)
    if (before) {
      // The person removed the item. That is a conflict only if the generator changed it.
      if (normalized(before) !== normalized(item)) conflict('', textOf(item), insertion(), result)
      return
    }
    result.edits.push(insertion())

    function insertion(): Edit {
      const earlier = next.slice(0, index).map(({ key }) => key)
      const previous = disk.findLast(({ key }) => earlier.includes(key))
      // An item that goes is no neighbour: the insertion would fall into the removed range.
      const staying = disk.filter(({ key }) => find(next, key) || !find(base, key))
      return insertAfter(previous, item, nodes[1], { disk: staying, following: next[index + 1] })
    }
  })
}

type Items = readonly SyntaxItem[]

/**
 * Gives a changed statement or element without a name, for example a `return`, the key of the base's item. It is the first
 * new item of the same kind between the same neighbours.
 */
function pairStatements(base: Items, disk: Items, next: Items): Versions<Items> {
  const [baseKeys, diskKeys, nextKeys] = [keysOf(base), keysOf(disk), keysOf(next)]
  const isNew = ({ key }: SyntaxItem) =>
    !baseKeys.has(key) && !(diskKeys.has(key) && nextKeys.has(key))
  const paired = new Map<SyntaxItem, string>()
  for (const [index, item] of base.entries()) {
    if (item.isNamed || !isPairable(item.node)) continue
    for (const [items, keys] of [
      [disk, diskKeys],
      [next, nextKeys],
    ] as const) {
      if (keys.has(item.key)) continue
      const counterpart = between(base, index, items).find(
        (each) => each.node.kind === item.node.kind && isNew(each) && !paired.has(each),
      )
      if (counterpart) paired.set(counterpart, item.key)
    }
  }
  const withKeys = (items: Items) =>
    items.map((item) => ({ ...item, key: paired.get(item) ?? item.key }))
  return [base, withKeys(disk), withKeys(next)]
}

/** Statements, and elements of arrays other than values and names: those are sets, in which both sides may add. */
function isPairable(node: ts.Node): boolean {
  if (ts.isStatement(node)) return true
  if (!ts.isArrayLiteralExpression(node.parent)) return false
  return !ts.isLiteralExpression(node) && !ts.isIdentifier(node) && !ts.isSpreadElement(node)
}

function keysOf(items: Items): ReadonlySet<string> {
  return new Set(items.map(({ key }) => key))
}

/** Returns the items between those that match the neighbours of a base item. */
function between(base: Items, index: number, items: Items): Items {
  const places = new Map(items.map(({ key }, place) => [key, place]))
  const previous = base.slice(0, index).findLast(({ key }) => places.has(key))
  const following = base.slice(index + 1).find(({ key }) => places.has(key))
  const start = previous ? (places.get(previous.key) ?? 0) + 1 : 0
  return items.slice(start, following && places.get(following.key))
}

function mergeItem([base, disk, next]: Versions<SyntaxItem>, result: Result): void {
  const [before, yours, ours] = [base, disk, next].map(normalized)
  if (yours === ours || before === ours) return
  if (before === yours) {
    result.edits.push(replacement(disk, reindented(next, disk)))
    return
  }
  if (base.node.kind !== disk.node.kind || disk.node.kind !== next.node.kind) {
    conflict(textOf(disk), textOf(next), replacement(disk, textOf(next)), result)
    return
  }
  const nodes = [base.node, disk.node, next.node] as const
  const chained = mergeChained(base, disk, next)
  if (chained) {
    result.edits.push(chained)
    return
  }
  if (listOf(disk.node)) {
    mergeList(nodes, result)
    return
  }
  const [children = [], yourChildren = [], ourChildren = []] = nodes.map(childrenOf)
  const isAlike =
    children.length > 0 &&
    children.length === yourChildren.length &&
    children.length === ourChildren.length
  if (!isAlike) {
    conflict(textOf(disk), textOf(next), replacement(disk, textOf(next)), result)
    return
  }
  children.forEach((child, index) => {
    const [yourChild, ourChild] = [yourChildren[index], ourChildren[index]]
    if (yourChild && ourChild) mergeItem([child, yourChild, ourChild], result)
  })
}

/** Merges an expression that one side continued and the other changed: `text(80).refine(mine)` and `text(40)`. */
function mergeChained(base: SyntaxItem, disk: SyntaxItem, next: SyntaxItem): Edit | undefined {
  const yours = startOfChain(disk, base)
  if (yours) return replacement(yours, textOf(next))
  const ours = startOfChain(next, base)
  if (!ours) return undefined
  const { text } = next.file
  const [before, after] = [text.slice(next.start, ours.start), text.slice(ours.end, next.end)]
  return replacement(disk, `${before}${textOf(disk)}${after}`)
}

/** Returns the part of a chain of calls that equals `start`: `text(80)` in `text(80).refine(mine)`. */
function startOfChain(chain: SyntaxItem, start: SyntaxItem): SyntaxItem | undefined {
  const wanted = normalized(start)
  let { node } = chain
  while (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) {
    node = node.expression
    const item = { ...itemOf(node, chain.file), start: node.getStart(chain.file) }
    if (ts.isCallExpression(node) && normalized(item) === wanted) return item
  }
  return undefined
}

function childrenOf(node: ts.Node): readonly SyntaxItem[] {
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => {
    children.push(child)
  })
  const file = node.getSourceFile()
  return children.map((child) => ({ ...itemOf(child, file), start: child.getStart(file) }))
}

/** Both sides added an item of the same name. */
function mergeAdded(disk: SyntaxItem, next: SyntaxItem, result: Result): void {
  if (normalized(disk) === normalized(next)) return
  if (disk.node.kind === next.node.kind && ts.isImportDeclaration(disk.node)) {
    const empty = ts.createSourceFile('', '', ts.ScriptTarget.Latest, true)
    const lists = [disk.node, next.node].map(namedImports)
    const [yours, ours] = lists
    if (yours && ours) {
      mergeList([empty, yours, ours], result)
      return
    }
  }
  conflict(textOf(disk), textOf(next), replacement(disk, textOf(next)), result)
}

function namedImports(node: ts.Node): ts.Node | undefined {
  const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : undefined
  return bindings && ts.isNamedImports(bindings) ? bindings : undefined
}

function removeItem(base: SyntaxItem, disk: SyntaxItem, list: ts.Node, result: Result): void {
  const { text } = disk.file
  const separator = hasCommas(list) ? /^\s*,/ : /^[ \t]*;?/
  const end = disk.end + (separator.exec(text.slice(disk.end))?.[0].length ?? 0)
  const start = text.slice(0, disk.start).search(/\s*$/)
  const edit = { start, end, mine: '', theirs: '' }
  if (normalized(base) === normalized(disk)) result.edits.push(edit)
  else {
    result.hunks.push(showHunk(textOf(disk), ''))
    result.edits.push({ ...edit, mine: text.slice(start, end) })
  }
}

/**
 * Returns the insertion of a new item behind its predecessor, or at the start of the list `disk`. `following` is the item
 * after it in the generated text.
 */
function insertAfter(
  previous: SyntaxItem | undefined,
  item: SyntaxItem,
  list: ts.Node,
  { disk: siblings, following }: { disk: readonly SyntaxItem[]; following: SyntaxItem | undefined },
): Edit {
  const file = list.getSourceFile()
  const neighbour = previous ?? siblings[0]
  const added = neighbour ? reindented(item, neighbour) : textOf(item)
  const isInline = neighbour !== undefined && !/^\s*$/.test(lineBefore(neighbour))
  const commas = hasCommas(list)
  const gap = isInline ? ' ' : `${blankLine(item)}\n${neighbour ? indentOf(neighbour) : ''}`
  if (ts.isUnionTypeNode(list)) return insertUnion(previous, added, siblings)
  if (previous) {
    const after = file.text.slice(previous.end)
    const comma = commas ? /^\s*,/.exec(after)?.[0].length : undefined
    const semicolon = commas ? 0 : (/^[ \t]*;/.exec(after)?.[0].length ?? 0)
    const start = previous.end + (comma ?? semicolon)
    const text = `${commas && comma === undefined ? ',' : ''}${gap}${added}${comma === undefined ? '' : ','}`
    return { start, end: start, mine: text, theirs: text }
  }
  const first = siblings[0]
  if (first) {
    const text = `${added}${commas ? ',' : ''}${isInline ? ' ' : `\n${following ? blankLine(following) : ''}${indentOf(first)}`}`
    return { start: first.start, end: first.start, mine: text, theirs: text }
  }
  // A list without items, or whose items all go: `{}`, `[]`, or an empty file.
  const start = ts.isSourceFile(list)
    ? 0
    : list.getStart(file) + list.getText(file).search(/[{[]/) + 1
  // A removed item can stay, if the person decides so.
  const comma = commas && listOf(list)?.length ? ',' : ''
  const text = ts.isSourceFile(list) ? `${added}\n` : ` ${added}${comma} `
  return { start, end: start, mine: text, theirs: text }
}

function insertUnion(
  previous: SyntaxItem | undefined,
  added: string,
  siblings: readonly SyntaxItem[],
): Edit {
  const start = previous?.end ?? siblings[0]?.start ?? 0
  const text = previous ? ` | ${added}` : `${added} | `
  return { start, end: start, mine: text, theirs: text }
}

function replacement(disk: SyntaxItem, text: string): Edit {
  return { start: disk.start, end: disk.end, mine: text, theirs: text }
}

/** Records both sides of a conflict. `edit` makes the generator's change. */
function conflict(yours: string, ours: string, edit: Edit, { edits, hunks }: Result): void {
  hunks.push(showHunk(yours, ours))
  edits.push({ ...edit, mine: yours })
}

/** Returns the item's text with the indentation of another place. */
function reindented(item: SyntaxItem, place: SyntaxItem): string {
  const [from, to] = [indentOf(item), indentOf(place)]
  const [first = '', ...rest] = textOf(item).split('\n')
  return [
    first,
    ...rest.map((line) => (line.startsWith(from) ? to + line.slice(from.length) : line)),
  ].join('\n')
}

function indentOf({ file, start }: SyntaxItem): string {
  return /^[ \t]*/.exec(file.text.slice(file.text.lastIndexOf('\n', start - 1) + 1))?.[0] ?? ''
}

function lineBefore({ file, start }: SyntaxItem): string {
  return file.text.slice(file.text.lastIndexOf('\n', start - 1) + 1, start)
}

/** Returns a line break if the item has an empty line above it. */
function blankLine({ file, start }: SyntaxItem): string {
  return /\n[ \t]*\n[ \t]*$/.test(file.text.slice(0, start)) ? '\n' : ''
}

function applyEdits(text: string, edits: readonly Edit[], side: 'mine' | 'theirs'): string {
  // From the end to the start. At the same place, an insertion must not fall into a removed range.
  return edits
    .map((edit, index) => ({ ...edit, index }))
    .sort((one, other) => other.start - one.start || other.end - one.end || other.index - one.index)
    .reduce(
      (current, edit) => current.slice(0, edit.start) + edit[side] + current.slice(edit.end),
      text,
    )
}
