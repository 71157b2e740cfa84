import { Node, type SourceFile } from 'ts-morph'
import type { Feature } from '../model/model.ts'
import { declarationsOf, identifiersIn } from './declarations.ts'
import { needsOf } from './feature-imports.ts'
import { findImport, localName } from './import-use.ts'
import type { NamedImport } from './named-import.ts'
import { PlaceNotFound } from './place-not-found.ts'
import { parseFile } from './wire-file.ts'

/**
 * Returns true if the wiring file uses every import that wires the feature, at any place and under any property. A
 * person may mount a router in a chain, or hold a service under another name.
 */
export function namesFeature(
  path: string,
  text: string,
  feature: Feature,
  adapter: string,
): boolean {
  const needs = needsOf(feature, adapter)[path]
  const source = sourceOf(text)
  if (needs === undefined || source === undefined) return false
  return needs.every((need) => isUsed(source, need))
}

/** Returns true if the file refers to the import, and not only to another declaration of its name. */
function isUsed(source: SourceFile, need: NamedImport): boolean {
  const specifier = findImport(source, need)
  if (specifier === undefined) return false
  const name = localName(source, need)
  return source
    .getStatements()
    .filter((statement) => !Node.isImportDeclaration(statement))
    .flatMap(identifiersIn)
    .some((use) => use.getText() === name && declarationsOf(name, use)?.includes(specifier))
}

function sourceOf(text: string) {
  try {
    return parseFile(text.replace(/^\uFEFF/, '')).source
  } catch (error) {
    if (error instanceof PlaceNotFound) return undefined
    throw error
  }
}
