import { describe, expect, test } from 'vitest'
import { createModel } from '../../../src/generator/model/build.ts'
import type { Action, Plan } from '../../../src/generator/plan/plan.ts'
import { planProject } from '../../../src/generator/plan/plan-project.ts'
import { availableKinds, storeOf } from '../../../src/generator/stores/stores.ts'

const secrets = { databasePassword: 'the-password', jwtSecret: 'the-secret' }

describe.each(availableKinds)('a new %s project', (database) => {
  const plan = (auth: boolean) =>
    planProject('/shop', createModel({ name: 'shop', module: 'shop', database, auth }), secrets)

  test('has its secrets only in the untracked .env', async () => {
    const { actions } = await plan(true)
    const telling = actions.filter((action) => /the-(password|secret)/.test(textOf(action)))
    expect(telling).toMatchObject([{ path: '.env', secret: true }])
    expect(textOf(telling[0])).toContain('JWT_SECRET=the-secret\n')
  })

  test('has a first migration only if it has users', async () => {
    const { generate } = storeOf(database)
    const [first, where] =
      generate === ''
        ? ['src/infra/schema.ts', 'users: {']
        : ['prisma/migrations/0001_create_users/migration.sql', 'CREATE TABLE']
    const textAt = ({ actions }: Plan) => textOf(actions.find(({ path }) => path === first))
    expect(textAt(await plan(true))).toContain(where)
    expect(textAt(await plan(false))).not.toContain(where)
  })

  test('does not mention users or tokens without --auth', async () => {
    const { actions } = await plan(false)
    const telling = actions.filter((action) => /JWT|UPLOAD_DIR|bcrypt/.test(textOf(action)))
    expect(telling.map(({ path }) => path)).toEqual([])
  })
})

function textOf(action: Action | undefined): string {
  return action && 'after' in action ? action.after : ''
}
