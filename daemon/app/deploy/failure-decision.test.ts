import { expect, test } from 'vitest'
import { DaemonError } from '../../errors.ts'
import { decideFailure } from './failure-decision.ts'
import { AwaitsMemory, Interrupted, LeaseLost, RefusedDeploy } from './faults.ts'

const transient = new DaemonError('transient', 'no network')

test.each([
  ['a lost lease', 'abandon', new LeaseLost(), 1],
  ['missing memory', 'await-memory', new AwaitsMemory(64), 1],
  ['an interruption', 'requeue', new Interrupted(), 1],
  ['a refused deploy', 'refuse', new RefusedDeploy('not-found', 'no branch'), 1],
  ['the fourth transient fault', 'retry', transient, 4],
  ['the fifth transient fault', 'give-up', transient, 5],
  ['a failed build', 'give-up', new DaemonError('unprocessable', 'no build'), 1],
  ['a bug', 'give-up', new TypeError('oops'), 1],
] as const)(
  'decideFailure answers the error "%s" with the decision "%s"',
  (_name, kind, cause, attempts) => {
    expect(decideFailure(cause, attempts).kind).toBe(kind)
  },
)
