import { type Plural, shown } from './project.ts'

/** The ids and times of one application's records, and the placeholders for the ids. */
export type Records = ReturnType<typeof createRecords>

/** An id that no record has. */
const absentId = 900_000_041

const maxId = 2 ** 32 - 1

interface Stamps {
  readonly created_at: unknown
  readonly updated_at: unknown
}

/** Creates the tracker. `users` are the ids of existing users. */
export function createRecords({ users }: { users: readonly number[] }) {
  const ids = new Map<string, number[]>([['users', [...users]]])
  const stamps = new Map<string, Stamps>()

  const idsOf = (plural: string) => ids.get(plural) ?? []

  /** Returns the id of the `at`th created record, deleted ones included, or an absent id if none was created. */
  function idAt(plural: string, at: number): string {
    const known = idsOf(plural)
    return String(known[at % known.length] ?? absentId)
  }

  function nameOf(plural: string, id: unknown): unknown {
    const at = typeof id === 'number' ? idsOf(plural).indexOf(id) : -1
    return at === -1 ? id : `<${plural} ${at}>`
  }

  /** Replaces ids by placeholders, in embedded records too. */
  function normalize(plural: Plural, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => normalize(plural, each))
    if (!isObject(value)) return nameOf(plural, value)
    const parts: Readonly<Partial<Record<string, Plural>>> = {
      ...shown[plural],
      id: plural,
      [plural]: plural,
    }
    const { created_at, updated_at, ...rest } = value
    const entries = Object.entries(rest).map(([key, part]) => {
      if (key === 'next_cursor') return [key, cursorOf(plural, part)]
      const of = Object.hasOwn(parts, key) ? parts[key] : undefined
      return [key, of === undefined || part === null ? part : normalize(of, part)]
    })
    return {
      ...Object.fromEntries(entries),
      ...('id' in value && 'created_at' in value && timesOf(plural, value)),
    }
  }

  /** Returns the content of a cursor without its values: times differ between applications. */
  function cursorOf(plural: Plural, cursor: unknown): unknown {
    if (typeof cursor !== 'string') return cursor
    const content: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (!Array.isArray(content)) return content
    const [list, sort, id] = content
    return [list, sort, nameOf(plural, id)]
  }

  /** Returns constants if the times equal the recorded ones, else the actual and the recorded times. */
  function timesOf(plural: Plural, { id, created_at, updated_at }: Record<string, unknown>) {
    const known = stamps.get(`${plural} ${id}`)
    const last = known ? known.updated_at : null
    return {
      created_at: known?.created_at === created_at ? 'as ever' : [created_at, known?.created_at],
      updated_at: [updated_at, undefined].includes(last) ? 'as last' : [updated_at, last],
    }
  }

  return {
    idsOf,

    /** Replaces placeholders in a text by ids. */
    resolve(text: string): string {
      return text.replaceAll(/<(\w+) (\d+)>/g, (all, plural: string, at: string) =>
        plural in shown ? idAt(plural, Number(at)) : all,
      )
    },

    normalize,

    recordCreated(plural: Plural, record: unknown): unknown {
      if (!isObject(record)) return record
      const { id, created_at, updated_at } = record
      const made = idsOf(plural)
      if (
        typeof id === 'number' &&
        Number.isInteger(id) &&
        id > (made.at(-1) ?? 0) &&
        id <= maxId
      ) {
        ids.set(plural, [...made, id])
        const isNow = typeof created_at === 'string' && created_at === updated_at
        if (isNow && isStamp(created_at)) stamps.set(`${plural} ${id}`, { created_at, updated_at })
      }
      return normalize(plural, record)
    },

    recordUpdated(plural: Plural, record: unknown): unknown {
      if (!isObject(record)) return record
      const { id, updated_at } = record
      const known = stamps.get(`${plural} ${id}`)
      if (known && isStamp(updated_at) && String(known.updated_at) <= updated_at) {
        stamps.set(`${plural} ${id}`, { created_at: known.created_at, updated_at })
      }
      return normalize(plural, record)
    },

    /**
     * Forgets the update time: after concurrent changes, the last stored change need not have the
     * latest time.
     */
    forgetUpdateTime(plural: Plural, record: unknown): void {
      if (!isObject(record)) return
      const key = `${plural} ${record.id}`
      const known = stamps.get(key)
      if (known) stamps.set(key, { ...known, updated_at: undefined })
    },

    /** Replaces the ids of missing badges in an error by placeholders. */
    normalizeError(error: unknown): unknown {
      if (!isObject(error) || !Array.isArray(error.details)) return error
      const details = error.details.map((fault: { path: string; message: string }) => {
        if (fault.path !== 'badges') return fault
        const name = (id: string) => String(nameOf('badges', Number(id)))
        return { ...fault, message: fault.message.replaceAll(/\d+/g, name) }
      })
      return { ...error, details }
    },
  }
}

function isStamp(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
