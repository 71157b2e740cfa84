import { type Collection, nameOf } from '../infra/collection.js'
import { collectionOf } from './document-schema.js'
import type { DocumentStore } from './document-store.js'

/** Foreign keys from a record to a user, in the app's names: `['orderId', 'customerId']`. */
type Path = readonly string[]

/** Creates functions that follow foreign keys from records to the users who own them. */
export function createOwners(documents: DocumentStore) {
  /** Returns the user at the end of the path. Undefined if a record on the path does not exist. */
  async function find(name: string, id: number, path: Path = []): Promise<number | undefined> {
    const [key = '', ...rest] = path
    const collection = collectionOf(name)
    const field = nameOf(collection, key)
    const [found] = await documents.read(name, [id], { names: [field] })
    const value = found && ((found[field] ?? null) as number)
    if (value === undefined || rest.length === 0) return value
    return find(targetOf(collection, key), value, rest)
  }

  /** Returns the values that the first key of the path has in the records of a user. */
  async function keysOf(name: string, path: Path, user: number): Promise<number[]> {
    const [key = '', next, ...rest] = path
    if (next === undefined) return [user]
    const whole = targetOf(collectionOf(name), key)
    const values = await keysOf(whole, [next, ...rest], user)
    const found = await documents.readBy(whole, nameOf(collectionOf(whole), next), values, {
      names: [],
    })
    return found.map(({ id }) => id)
  }

  /**
   * Returns the ids that foreign keys of visible records have: of each key, the record has one of the ids. Empty if
   * `user` is undefined, or if everybody sees the records.
   */
  async function among(name: string, user: unknown): Promise<Record<string, number[]>> {
    if (typeof user !== 'number') return {}
    const collection = collectionOf(name)
    const lists = (collection.viewers ?? []).map(async (path) => {
      return [nameOf(collection, path[0] ?? ''), await keysOf(name, path, user)] as const
    })
    return Object.fromEntries(await Promise.all(lists))
  }

  return { find, among }
}

function targetOf({ references = [] }: Collection, key: string): string {
  const reference = references.find((each) => each.key === key)
  if (!reference) throw new Error(`the schema has no reference ${key}`)
  return reference.to
}
