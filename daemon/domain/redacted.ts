import type { Redacted } from '../ports.ts'

/** Wraps a secret: logs, templates and JSON show `[redacted]`. `Symbol.for` avoids an import of `node:util`. */
export function redacted(value: string): Redacted {
  const shown = () => '[redacted]'
  return {
    reveal: () => value,
    toString: shown,
    toJSON: shown,
    [Symbol.for('nodejs.util.inspect.custom')]: shown,
  } as Redacted
}
