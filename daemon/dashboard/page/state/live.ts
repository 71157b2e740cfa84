/** Kinds of things that the page shows. A change of a topic reloads the data that depends on it. */
export type Topic =
  | 'projects'
  | 'environments'
  | 'queue'
  | 'audit'
  | 'secrets'
  | 'domains'
  | 'nodes'
  | 'tokens'
  | 'trash'
  | 'stats'
  | 'infrastructure'

export type Changes = ReadonlySet<Topic> | 'all'

/** Reports changes of the daemon's state. Returns a function that stops the reports. */
export type LiveSource = (report: (changes: Changes) => void) => () => void

interface Subscriber {
  readonly topics: readonly Topic[]
  readonly onChange: () => void
}

const subscribers = new Set<Subscriber>()

/** Calls `onChange` after each change of one of the topics. Returns a function that ends the subscription. */
export function subscribe(topics: readonly Topic[], onChange: () => void): () => void {
  const subscriber = { topics, onChange }
  subscribers.add(subscriber)
  return () => void subscribers.delete(subscriber)
}

/** Reports a change that this page has made, so that it shows at once. */
export function reportChange(...topics: readonly Topic[]): void {
  deliver(new Set(topics))
}

let stop = () => {}

/** Takes changes from `source` from now on, instead of from the previous source. */
export function startLive(source: LiveSource): void {
  stop()
  stop = source(deliver)
}

function deliver(changes: Changes): void {
  for (const { topics, onChange } of [...subscribers]) {
    if (changes === 'all' || topics.some((topic) => changes.has(topic))) onChange()
  }
}
