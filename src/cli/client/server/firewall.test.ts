import { expect, test } from 'vitest'
import { firewallAdvice } from './firewall.ts'

test('the advice opens the public ports and keeps ssh open', () => {
  const lines = firewallAdvice({
    SERVICE_GATEWAY_ADDR: '[::]:80',
    SERVICE_GATEWAY_TLS_ADDR: '0.0.0.0:443',
    SERVICE_ADDR: '127.0.0.1:9000',
  })
  expect(lines).toEqual([
    'firewall: open these ports, for example with one of',
    '  ufw allow 80/tcp',
    '  ufw allow 443/tcp',
    "  nft add rule inet filter input tcp dport '{ 22, 80, 443 }' accept",
  ])
})

test('addresses of the machine itself need no advice', () => {
  expect(
    firewallAdvice({ SERVICE_GATEWAY_ADDR: '[::1]:80', SERVICE_ADDR: 'localhost:9000' }),
  ).toEqual([])
})
