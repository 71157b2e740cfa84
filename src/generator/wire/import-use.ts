import type { ImportSpecifier, Node, SourceFile } from 'ts-morph'
import { addNamedImport } from './add-named-import.ts'
import { assertFree, assertRefersTo, declarationsOf, identifiersIn } from './declarations.ts'
import type { Edit } from './edit.ts'
import type { NameUse } from './name-use.ts'
import { importStatement, isOwnModule, isSameModule, type NamedImport } from './named-import.ts'
import { PlaceNotFound } from './place-not-found.ts'
import type { WireFile } from './wire-file.ts'

/** Uses an import under its local name in the file, and adds a missing import. */
export function importUse(need: NamedImport): NameUse {
  return {
    emittedName: need.name,
    statement: importStatement(need, { quote: "'", semicolon: '' }),
    resolve: ({ file, node }) => {
      const specifier = findImport(file.source, need)
      if (specifier === undefined) {
        assertFree(need.name, node)
        return { name: need.name, edits: addNamedImport(file, need) }
      }
      const name = localNameOf(specifier)
      assertRefersTo(name, specifier, node)
      if (need.isType || !isTypeOnly(specifier)) return { name, edits: [] }
      throw new PlaceNotFound(`${need.name} as a value (it is imported as a type)`)
    },
  }
}

/** Returns the local name of the import, or the emitted name if the file does not import it. */
export function localName(source: SourceFile, need: NamedImport): string {
  const specifier = findImport(source, need)
  return specifier === undefined ? need.name : localNameOf(specifier)
}

/** Returns the edits that import names which the node uses without an import. */
export function missingImports(file: WireFile, node: Node, uses: readonly NameUse[]): Edit[] {
  const free = identifiersIn(node).filter((name) => !declarationsOf(name.getText(), name))
  const missing = new Set(free.map((name) => name.getText()))
  return uses
    .filter((use) => use.statement !== undefined && missing.has(use.emittedName))
    .flatMap((use) => use.resolve({ file, node }).edits)
}

/** Finds the import from the same module, or else the same name from another module of the project. */
export function findImport(source: SourceFile, need: NamedImport): ImportSpecifier | undefined {
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
