import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../client/index.js'
import { startApp } from './support/app.js'
import { createOpenApiFetch } from './support/openapi-fetch.js'
import { memory, testStores } from './support/stores.js'

const ada = { name: 'Ada', email: 'Ada@Example.com', password: 'a long password' }

describe.each(testStores)('registration and login over HTTP on $name', (store) => {
  let app: Awaited<ReturnType<typeof startApp>>
  let auth: ReturnType<typeof createClient>['auth']
  let authOf: (token: string) => typeof auth

  beforeAll(async () => {
    app = await startApp(store)
    const fetch = await createOpenApiFetch(app.baseUrl)
    authOf = (token) => createClient({ baseUrl: app.baseUrl, fetch, token }).auth
    auth = authOf('')
  })
  afterAll(() => app.stop())

  test('a registered user can log in', async () => {
    const registered = await auth.register(ada)
    expect(registered.user).toEqual({
      id: registered.user.id,
      name: 'Ada',
      email: 'ada@example.com',
    })
    const loggedIn = await auth.login({ email: 'aDA@example.com', password: ada.password })
    expect(loggedIn.user).toEqual(registered.user)
  })

  test('registration rejects a used e-mail address with 409', async () => {
    const bob = { ...ada, email: 'bob@example.com' }
    await auth.register(bob)
    await expect(auth.register({ ...bob, email: 'BOB@example.com' })).rejects.toMatchObject({
      status: 409,
      message: 'email already registered',
    })
  })

  test('login responds alike to an unknown e-mail address and a wrong password', async () => {
    const eve = { email: 'eve@example.com', password: ada.password }
    const refused = { status: 401, message: 'invalid credentials' }
    await expect(auth.login(eve)).rejects.toMatchObject(refused)
    await auth.register({ ...ada, ...eve })
    await expect(auth.login({ ...eve, password: 'A long password' })).rejects.toMatchObject(refused)
  })

  test('a caller reads and deletes the account, changes the password and logs out', async () => {
    const own = { email: 'own@example.com', password: ada.password }
    const { token, user } = await auth.register({ name: 'Ada', ...own })
    const caller = authOf(token)
    expect(await caller.me()).toEqual({ ...user, role: 'user', created_at: expect.any(String) })

    const other = authOf((await auth.login(own)).token)
    await other.logout()
    await expect(other.me()).rejects.toMatchObject({ status: 401, message: 'Invalid token' })

    const change = { current: 'a wrong password', next: 'another password' }
    await expect(caller.changePassword(change)).rejects.toMatchObject({ status: 401 })
    const { token: next } = await caller.changePassword({ ...change, current: own.password })
    await expect(auth.login(own)).rejects.toMatchObject({ status: 401 })
    await caller.logoutAll()
    await expect(authOf(next).me()).rejects.toMatchObject({ status: 401 })

    const last = authOf((await auth.login({ ...own, password: change.next })).token)
    await expect(last.deleteMe({ password: own.password })).rejects.toMatchObject({ status: 401 })
    await last.deleteMe({ password: change.next })
    await expect(last.me()).rejects.toMatchObject({ status: 401 })
  })

  test('login limits guesses with one e-mail address, and says when to try again', async () => {
    const guesses = Array.from({ length: 30 }, () =>
      auth.login({ email: 'guessed@example.com', password: 'a guess' }).catch((error) => error),
    )
    const refused = (await Promise.all(guesses)).filter(({ status }) => status === 429)
    expect(refused).toHaveLength(10)
    expect(refused[0].retryAfter).toBeGreaterThan(0)
  })

  test('login rejects NUL characters with 400', async () => {
    const login = auth.login({ email: 'ada\0@example.com', password: 'a\0' })
    await expect(login).rejects.toMatchObject({ status: 400 })
  })

  test.each([
    ['name', 'A'],
    ['email', 'not an address'],
    ['password', 'seven..'],
    ['password', 'ü'.repeat(37)],
    ['password', 42],
  ])('registration rejects the %s %j and names the field', async (path, value) => {
    await expect(auth.register({ ...ada, [path]: value })).rejects.toMatchObject({
      status: 400,
      details: [expect.objectContaining({ path })],
    })
  })

  test('registration and login name all missing and unknown fields at once', async () => {
    const paths = (...names: string[]) => ({
      status: 400,
      details: expect.arrayContaining(names.map((path) => expect.objectContaining({ path }))),
    })
    const unknown = { admin: true } as never
    await expect(auth.register(unknown)).rejects.toMatchObject(
      paths('name', 'email', 'password', 'admin'),
    )
    await expect(auth.login(unknown)).rejects.toMatchObject(paths('email', 'password', 'admin'))
  })

  test.each([
    [undefined, 'Authorization header required'],
    ['', 'Authorization header required'],
    ['Bearer', 'Invalid authorization format'],
    ['bearer a.b.c', 'Invalid authorization format'],
    ['Basic YTpi', 'Invalid authorization format'],
    ['Bearer  a.b.c', 'Invalid authorization format'],
    ['Bearer a.b.c d', 'Invalid authorization format'],
    ['Bearer a.b.c', 'Invalid token'],
  ])('a protected route rejects the Authorization header %s with 401', async (header, error) => {
    const response = await fetch(`${app.baseUrl}/api/v1/uploads`, {
      method: 'POST',
      ...(header !== undefined && { headers: { authorization: header } }),
    })
    expect([response.status, await response.json()]).toEqual([401, { error }])
  })
})

test('behind a proxy of TRUST_PROXY, guesses from one address do not lock out another', async () => {
  const app = await startApp(memory, { TRUST_PROXY: 1 })
  const authFrom = (address: string) =>
    createClient({ baseUrl: app.baseUrl, headers: { 'x-forwarded-for': address } }).auth
  const login = { email: ada.email, password: ada.password }
  await authFrom('192.0.2.1').register(ada)
  await authFrom('192.0.2.1').login(login)
  const guess = () => authFrom('192.0.2.2').login({ ...login, password: 'wrong' })
  const guesses = await Promise.allSettled(Array.from({ length: 30 }, guess))
  expect(guesses.at(-1)).toMatchObject({ reason: { status: 429 } })
  expect(await authFrom('192.0.2.1').login(login)).toHaveProperty('token')
  await app.stop()
})
