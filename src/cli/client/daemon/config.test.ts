import { expect, test } from 'vitest'
import { effectOf } from './config.ts'

const unit = { hasUnit: () => true }

test.each([
  ['an installed server', '/var/lib/strata', true, unit, 'systemctl restart stratad.service'],
  ['an installed server that rests', '/var/lib/strata', false, unit, 'systemctl restart'],
  ['a running daemon', '/home/ada/strata', true, unit, 'strata daemon stop && strata daemon start'],
  ['a daemon that rests', '/home/ada/strata', false, unit, 'at the next start of the daemon'],
  [
    'a running daemon in the folder of servers',
    ...(['/var/lib/strata', true, { hasUnit: () => false }, 'strata daemon stop'] as const),
  ],
])('a setting of %s says how it takes effect', (_name, dataDir, isRunning, units, expected) => {
  expect(effectOf(dataDir, { isRunning, ...units })).toContain(expected)
})
