import { ts } from 'ts-morph'
import type { Edit } from './edits.ts'
import type { Program } from './language.ts'
import { type Leftover, patternOf } from './leftovers.ts'
import type { NamePair } from './spellings.ts'

/**
 * Finds the places of a script that contain a previous name and that TypeScript could not rename: strings, members of
 * values without a type, and members of objects that no type describes.
 */
export function leftoversInScript(
  program: Program,
  path: string,
  words: readonly NamePair[],
  edits: readonly Edit[],
): readonly Leftover[] {
  const script = program.script(path)
  const checker = program.service.getProgram()?.getTypeChecker()
  if (script === undefined || checker === undefined) return []
  const pattern = patternOf(words)
  const edited = new Set(edits.map(({ start }) => start))
  const lines = new Set<number>()
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return
    const start = node.getStart(script)
    const isUnknown =
      (ts.isIdentifier(node) && pattern.test(node.text) && isUntyped(node, checker)) ||
      (isText(node) && pattern.test(node.text))
    if (isUnknown && !edited.has(start)) {
      const [first, last] = [start, node.end].map(
        (position) => script.getLineAndCharacterOfPosition(position).line,
      )
      for (let line = first ?? 0; line <= (last ?? 0); line++) lines.add(line)
    }
    ts.forEachChild(node, visit)
  }
  visit(script)
  const texts = script.text.split('\n')
  return [...lines]
    .filter((line) => pattern.test(texts[line] ?? ''))
    .sort((a, b) => a - b)
    .map((line) => ({ path, line: line + 1, text: (texts[line] ?? '').trim() }))
}

function isText(node: ts.Node): node is ts.LiteralLikeNode {
  return ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)
}

/** Returns true for a member that TypeScript does not know, or that only the object itself declares. */
function isUntyped(name: ts.Identifier, checker: ts.TypeChecker): boolean {
  const { parent } = name
  if (ts.isPropertyAccessExpression(parent) && parent.name === name)
    return (checker.getSymbolAtLocation(name)?.declarations ?? []).length === 0
  if (ts.isPropertyAssignment(parent) && parent.name === name) {
    const type = checker.getContextualType(parent.parent)
    return (type?.getProperty(name.text)?.declarations ?? []).length === 0
  }
  return false
}
