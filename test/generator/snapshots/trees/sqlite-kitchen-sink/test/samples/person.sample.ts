import type { PersonApi } from '../../client/person.api.js'

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function personSample(n: number): PersonApi['create'] {
  return {
    email: `email${n}@example.com`,
    born: new Date(Date.UTC(2020, 0, n)).toISOString().slice(0, 10),
    joined: new Date(Date.UTC(2020, 0, n)).toISOString().slice(0, 10),
    seen: new Date(Date.UTC(2020, 0, n)).toISOString(),
    locked: new Date(Date.UTC(2020, 0, n)).toISOString(),
    since: new Date(Date.UTC(2020, 0, n)).toISOString(),
    token: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    device: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    settings: { n },
    profile: { n },
    extra: { n },
    order: n,
    group: `group ${n}`,
    class: `class ${n}`.padEnd(2, 'x'),
  }
}

/** An invalid value for each field. */
export const badPersonFields = {
  email: 'no such value',
  born: 'no such value',
  joined: 'no such value',
  seen: 'no such value',
  locked: 'no such value',
  since: 'no such value',
  token: 'no such value',
  device: 'no such value',
  settings: null,
  profile: null,
  order: 1.5,
  group: 1,
  class: 1,
}
