import type { Feature } from '../model/model.ts'
import type { NamedImport } from './named-import.ts'

/** Returns the imports that wire a feature, by the path of the wiring file. */
export function needsOf(
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
