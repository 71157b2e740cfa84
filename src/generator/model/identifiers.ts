import { reservedTypes, reservedVariables } from './reserved.ts'

/**
 * Returns the type name of an entity: `pascal`, or `pascal` + `Record` if TypeScript, Node, Prisma or
 * an emitted import uses that name. Prisma names the model's accessor like the type, with a lowercase
 * first letter: therefore inherited members such as `Constructor` get the suffix too.
 */
export function typeName(pascal: string): string {
  const accessor = pascal.charAt(0).toLowerCase() + pascal.slice(1)
  return reservedTypes.has(pascal) || isInherited(accessor) ? `${pascal}Record` : pascal
}

/**
 * Returns a name that `const` can declare for a camelCase entity or field: the name itself, or the
 * name + `Record` if JavaScript or Biome reserve it (`class`, `default`).
 */
export function variableName(camel: string): string {
  return reservedVariables.has(camel) ? `${camel}Record` : camel
}

/** Returns true if every JavaScript object inherits a member of this name: `constructor`, `toString`, … */
export function isInherited(name: string): boolean {
  return name in Object.prototype
}
