import pg, { type ClientConfig, type CustomTypesConfig, types } from 'pg'

/** Limit of prepared statements, above the app's number of queries. Further statements are not prepared. */
const maxStatements = 200

/** Returns a client class that prepares each statement once for each connection: Kysely names no statements. */
export function createClientClass({ keepsStatements }: { keepsStatements: boolean }) {
  const names = new Map<string, string>()

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= maxStatements) return known
    const name = `s${names.size}`
    names.set(text, name)
    return name
  }

  return class Client extends pg.Client {
    constructor(config?: string | ClientConfig) {
      super(typeof config === 'string' ? config : { ...config, types: textTypes })
    }

    override query(...args: unknown[]) {
      const [text, values] = args
      const name = keepsStatements && values && typeof text === 'string' ? nameOf(text) : undefined
      const query = name === undefined ? args : [{ name, text, values }, ...args.slice(2)]
      return Reflect.apply(super.query, this, query)
    }
  } as typeof pg.Client
}

const { DATE, TIMESTAMP } = types.builtins

/** Keeps dates as texts, and reads times as UTC. `pg` would read both in the time zone of the process. */
const textTypes: CustomTypesConfig = {
  getTypeParser(type, format) {
    if (type === DATE) return String
    if (type === TIMESTAMP) return (text: string) => new Date(`${text.replace(' ', 'T')}Z`)
    return types.getTypeParser(type, format as 'text')
  },
}
