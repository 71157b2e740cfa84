import type { UserApi } from '../../client/user.api.js'

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function userSample(n: number): UserApi['create'] {
  return {
    name: `name ${n}`,
    email: `email${n}@example.com`,
    age: n,
  }
}

/** An invalid value for each field. */
export const badUserFields = {
  name: 1,
  email: 'no such value',
  age: 1.5,
}
