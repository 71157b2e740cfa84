import { reservedTypes, reservedVariables } from './reserved.ts'

/**
 * The type's name for an entity: `pascal` itself, or `pascal` + `Record` where TypeScript, Node,
 * Prisma or an emitted import has taken it. Prisma calls the model's accessor by the type's name
 * with a small first letter, so a name every object has is taken too (`Constructor`).
 */
export function typeName(pascal: string): string {
  const accessor = pascal.charAt(0).toLowerCase() + pascal.slice(1)
  return reservedTypes.has(pascal) || isInherited(accessor) ? `${pascal}Record` : pascal
}

/**
 * A name that can be declared with `const` for any camelCase spelling of an entity or a field:
 * itself, or with `Record` behind it where JavaScript or Biome reserve it (`class`, `default`).
 */
export function variableName(camel: string): string {
  return reservedVariables.has(camel) ? `${camel}Record` : camel
}

/** Whether every JavaScript object has a property of this name: `constructor`, `toString`, … */
export function isInherited(name: string): boolean {
  return name in Object.prototype
}
