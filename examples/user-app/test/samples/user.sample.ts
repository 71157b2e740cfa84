import type { UserApi } from '../../src/handlers/user.schema.js'

/** A body that creates one; no two numbers share a value of a unique field. */
export function userSample(n: number): UserApi['create'] {
  return {
    name: `name ${n}`,
    email: `email${n}@example.com`,
    age: n,
  }
}

/** For each field a value that is refused. */
export const badUserFields = {
  name: 1,
  email: 'no such value',
  age: 1.5,
}
