import type { Redacted } from '../ports.ts'

/** Wraps a secret so that no log, template or JSON shows it. `util.inspect` finds its symbol by name. */
export function redacted(value: string): Redacted {
  const shown = () => '[redacted]'
  return {
    reveal: () => value,
    toString: shown,
    toJSON: shown,
    [Symbol.for('nodejs.util.inspect.custom')]: shown,
  } as Redacted
}
