import type { ImportSpecifier, Node, SourceFile } from 'ts-morph'
import { addNamedImport } from './add-named-import.ts'
import type { Edit } from './edit.ts'
import { type Import, importStatement, isOwnModule, isSameModule } from './import.ts'
import type { Use } from './name-use.ts'
import { PlaceNotFound } from './place-not-found.ts'
import { assertFree, assertMeans, declarationsOf, namesIn } from './scope.ts'
import type { WireFile } from './wire-file.ts'

/** The use of an import, under the local name that a person has given it; added where missing. */
export function imported(need: Import): Use {
  return {
    usual: need.name,
    statement: importStatement(need, { quote: "'", semicolon: '' }),
    find: ({ file, node }) => {
      const specifier = findImport(file.source, need)
      if (specifier === undefined) {
        assertFree(need.name, node)
        return { name: need.name, edits: addNamedImport(file, need) }
      }
      const name = localNameOf(specifier)
      assertMeans(name, specifier, node)
      if (need.isType || !isTypeOnly(specifier)) return { name, edits: [] }
      throw new PlaceNotFound(`${need.name} as a value (it is imported as a type)`)
    },
  }
}

/** What the file calls the import: its local name, or the usual one where it is not imported. */
export function localName(source: SourceFile, need: Import): string {
  const specifier = findImport(source, need)
  return specifier === undefined ? need.name : localNameOf(specifier)
}

/** The edits that import what the node uses already, where a person forgot to. */
export function importsMissingIn(file: WireFile, node: Node, uses: readonly Use[]): Edit[] {
  const free = namesIn(node).filter((name) => !declarationsOf(name.getText(), name))
  const missing = new Set(free.map((name) => name.getText()))
  return uses
    .filter((use) => use.statement !== undefined && missing.has(use.usual))
    .flatMap((use) => use.find({ file, node }).edits)
}

/** From the same module, or the one of that name that another module of the project gives. */
function findImport(source: SourceFile, need: Import): ImportSpecifier | undefined {
  const named = source
    .getImportDeclarations()
    .flatMap((declaration) => declaration.getNamedImports())
    .filter((specifier) => specifier.getName() === need.name)
  return (
    named.find((specifier) => isSameModule(sourceOf(specifier), need.from)) ??
    named.find((each) => isOwnModule(sourceOf(each)) && localNameOf(each) === need.name)
  )
}

function sourceOf(specifier: ImportSpecifier): string {
  return specifier.getImportDeclaration().getModuleSpecifierValue()
}

function localNameOf(specifier: ImportSpecifier): string {
  return specifier.getAliasNode()?.getText() ?? specifier.getName()
}

function isTypeOnly(specifier: ImportSpecifier): boolean {
  return specifier.isTypeOnly() || specifier.getImportDeclaration().isTypeOnly()
}
