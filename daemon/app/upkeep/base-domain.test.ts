import { expect, test } from 'vitest'
import {
  environmentDraft,
  nodeDraft,
  projectDraft,
} from '../../../test/support/daemon/store/record-drafts.ts'
import { tempStore } from '../../../test/support/daemon/store/temp-store.ts'
import { systemClock } from '../../clock.ts'
import { applyBaseDomain } from './base-domain.ts'

test('an environment keeps its host name if another branch has the new one, and a warning names both', async () => {
  const store = await tempStore()
  const warnings: string[] = []
  const logger = {
    debug() {},
    info() {},
    warn: (_: object, message: string) => warnings.push(message),
    error() {},
  }
  await store.nodes.put(nodeDraft())
  for (const [id, domain] of [
    [1, 'localhost'],
    [2, 'example.com'],
  ] as const) {
    const place = `git.example.com/team-${id}/shop`
    await store.projects.create(projectDraft({ repoUrl: `https://${place}`, remoteKey: place }))
    const hostname = `main--shop.${domain}`
    await store.environments.claimHostname(hostname, id, 'main')
    await store.environments.create(environmentDraft({ projectId: id, hostname }))
  }
  await store.environments.claimHostname('next--shop.localhost', 1, 'next')
  const next = { projectId: 1, branch: 'next', hostname: 'next--shop.localhost' }
  await store.environments.create(environmentDraft(next))

  await applyBaseDomain({ store, clock: systemClock, logger, baseDomain: 'example.com' })

  expect((await store.environments.listLive()).map(({ hostname }) => hostname)).toEqual([
    'main--shop.localhost',
    'main--shop.example.com',
    'next--shop.example.com',
  ])
  expect(warnings).toEqual([
    expect.stringMatching(
      /environment 1 stays at main--shop\.localhost: the host name main--shop\.example\.com belongs to branch main of project 2/,
    ),
  ])
  const claim = (hostname: string) => store.environments.claimHostname(hostname, 2, 'x')
  expect(await claim('main--shop.localhost')).toMatchObject({ claimed: false, projectId: 1 })
  expect(await claim('next--shop.localhost')).toEqual({ claimed: true })
})
