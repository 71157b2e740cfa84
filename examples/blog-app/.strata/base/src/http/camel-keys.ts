type CamelKey<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelKey<Tail>>}`
  : Key

export type CamelKeys<T> = { [Key in keyof T & string as CamelKey<Key>]: T[Key] }

/** Renames the object's snake_case keys to camelCase. Absent keys stay absent. */
export function camelKeys<T extends object>(value: T): CamelKeys<T> {
  const renamed = Object.entries(value).map(([key, field]) => [camelKey(key), field])
  return Object.fromEntries(renamed) as CamelKeys<T>
}

export function camelKey(key: string): string {
  return key.replace(/_(.)/g, (_, first: string) => first.toUpperCase())
}
