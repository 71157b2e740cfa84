import { describe, expect, test } from 'vitest'
import { createModel } from '../../../src/generator/model/build.ts'
import type { Action, Plan } from '../../../src/generator/plan/plan.ts'
import { planProject } from '../../../src/generator/plan/plan-project.ts'
import { availableKinds } from '../../../src/generator/stores/stores.ts'

const secrets = { databasePassword: 'the-password', jwtSecret: 'the-secret' }

describe.each(availableKinds)('a new %s project', (database) => {
  const plan = (auth: boolean) =>
    planProject('/shop', createModel({ name: 'shop', module: 'shop', database, auth }), secrets)

  test('has its secrets in the untracked .env alone', async () => {
    const { actions } = await plan(true)
    const telling = actions.filter((action) => /the-(password|secret)/.test(textOf(action)))
    expect(telling).toMatchObject([{ path: '.env', secret: true }])
    expect(textOf(telling[0])).toContain('JWT_SECRET=the-secret\n')
  })

  test('has a first migration where it has users, and none otherwise', async () => {
    expect(migrationsOf(await plan(true))).toEqual([
      'prisma/migrations/0001_create_users/migration.sql',
    ])
    expect(migrationsOf(await plan(false))).toEqual([])
  })

  test('has not a word of users and tokens where it has none', async () => {
    const { actions } = await plan(false)
    const telling = actions.filter((action) => /JWT|UPLOAD_DIR|bcrypt/.test(textOf(action)))
    expect(telling.map(({ path }) => path)).toEqual([])
  })
})

function migrationsOf({ actions }: Plan): string[] {
  return actions.map(({ path }) => path).filter((path) => /^prisma.*migration\.sql$/.test(path))
}

function textOf(action: Action | undefined): string {
  return action && 'after' in action ? action.after : ''
}
