import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { claimedKeys } from './claimed-repository.ts'
import type { HostName } from './event.ts'
import { webhookHosts } from './webhooks.ts'

const fixtures = readdirSync(new URL('fixtures', import.meta.url))
  // An instance of GitLab sends its system hooks: no project can sign them.
  .filter((name) => !name.startsWith('gitlab-system'))
const read = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url))

/** Returns the headers that the parser of the fixture's host reads. */
function headersOf(name: string): Record<string, string> {
  const [host = '', event = ''] = name.replace('.json', '').split('-')
  return { [`x-${host}-event`]: event }
}

describe('the repository that a delivery claims', () => {
  test.each(fixtures)('is found in %s as the parser finds it', async (name) => {
    const host = name.split('-')[0] as HostName
    const headers = headersOf(name)
    const keys = await claimedKeys(headers, read(name))
    expect(keys.length).toBeGreaterThan(0)
    const event = webhookHosts[host].parse(headers, read(name))
    if (event.kind === 'push') expect(keys).toEqual(expect.arrayContaining([...event.remoteKeys]))
    if (event.kind === 'renamed') expect(keys).toContain(event.fromKey)
  })

  test('is found in a form and by a path without URL', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const json = '{"repository":{"full_name":"Acme/Shop"}}'
    const form = Buffer.from(new URLSearchParams({ payload: json }).toString())
    expect(await claimedKeys(headers, form)).toEqual(['github.com/acme/shop'])
    const enterprise = { 'x-github-enterprise-host': 'ghe.example.com' }
    expect(await claimedKeys(enterprise, Buffer.from(json))).toEqual(['ghe.example.com/acme/shop'])
    const gitlab = Buffer.from('{"project":{"path_with_namespace":"acme/shop"}}')
    expect(await claimedKeys({}, gitlab)).toEqual(['gitlab.com/acme/shop'])
  })

  test.each(['', '{', '[]', '"x"', '{"repository":7}', '{"repository":{"clone_url":{}}}', '\0'])(
    'is none in %j',
    async (text) => expect(await claimedKeys({}, Buffer.from(text))).toEqual([]),
  )
})
