import { describe, expect, test } from 'vitest'
import { isPublicAddress } from './public-address.ts'

describe('an address is public', () => {
  test.each(['1.1.1.1', '140.82.121.5', '2606:4700::1111', '172.32.0.1'])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
  test.each([
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1'],
    ...['0.0.0.0', '255.255.255.255', '224.0.0.1', '::', '::1', 'fe80::1%eth0', 'fd00::1'],
    ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:db8::1'],
    'nonsense',
  ])('except %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})
