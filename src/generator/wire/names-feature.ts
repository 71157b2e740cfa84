import { Node } from 'ts-morph'
import type { Feature } from '../model/model.ts'
import { localName } from './import-use.ts'
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
  const used = new Set(
    source
      .getStatements()
      .filter((statement) => !Node.isImportDeclaration(statement))
      .flatMap((statement) => statement.getDescendants())
      .filter(Node.isIdentifier)
      .map((name) => name.getText()),
  )
  return needs.every((need) => used.has(need.name) || used.has(localName(source, need)))
}

function sourceOf(text: string) {
  try {
    return parseFile(text.replace(/^\uFEFF/, '')).source
  } catch (error) {
    if (error instanceof PlaceNotFound) return undefined
    throw error
  }
}

function needsOf(
  { entity: { pascal, camel, kebab } }: Feature,
  adapter: string,
): Readonly<Record<string, readonly NamedImport[]>> {
  const value = (name: string, from: string): NamedImport => ({ name, from, isType: false })
  return {
    'src/container.ts': [
      value(`create${pascal}Repository`, `./repositories/${kebab}.repository.${adapter}.js`),
      value(`create${pascal}Service`, `./use-cases/${kebab}.service.js`),
    ],
    'src/routes.ts': [
      value(`create${pascal}Router`, `./handlers/${kebab}.handler.js`),
      value(`${camel}Doc`, `./handlers/${kebab}.schema.js`),
    ],
    'client/index.ts': [{ name: `${pascal}Api`, from: `./${kebab}.api.js`, isType: true }],
    'test/support/memory.ts': [value(`${camel}Table`, `./tables/${kebab}.table.js`)],
  }
}
