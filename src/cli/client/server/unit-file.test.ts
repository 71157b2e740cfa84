import { describe, expect, test } from 'vitest'
import { renderUnit } from './unit-file.ts'

describe('the unit', () => {
  const unit = renderUnit({ nodePath: '/usr/bin/node' })

  test('starts the current version, and leaves apps running when the daemon stops', () => {
    expect(unit).toContain(
      'ExecStart=/usr/bin/node /opt/strata/current/node_modules/stratad/bin/stratad.js\n',
    )
    expect(unit).toContain('\nKillMode=process\n')
    expect(unit).toContain('\nOOMPolicy=continue\n')
    expect(unit).toContain('\nDelegate=yes\n')
  })

  test('keeps every capability that the walls use', () => {
    const [, dropped = ''] = /CapabilityBoundingSet=~(.*)/.exec(unit) ?? []
    const used = ['SYS_ADMIN', 'SETUID', 'SETGID', 'SETPCAP', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER']
    const others = [
      'KILL',
      'NET_ADMIN',
      'NET_BIND_SERVICE',
      'SYS_PTRACE',
      'SYS_CHROOT',
      'SYS_RESOURCE',
    ]
    expect(dropped.split(' ')).toHaveLength(13)
    expect([...used, ...others].filter((name) => dropped.includes(`CAP_${name}`))).toEqual([])
  })

  test('sets no directive that takes walls down', () => {
    expect(unit).not.toMatch(
      /^(User|DynamicUser|PrivateUsers|RestrictNamespaces|SystemCallFilter|Protect\w+|Private\w+)=/m,
    )
  })

  test('quotes a path with a space, and escapes the specifiers of systemd', () => {
    const odd = renderUnit({ nodePath: '/opt/my node/100%/$bin/node' })
    expect(odd).toContain('ExecStart="/opt/my node/100%%/$$bin/node" /opt')
    expect(odd).toContain('Environment="PATH=/opt/my node/100%%/$$bin:/usr/local/sbin:')
  })
})
