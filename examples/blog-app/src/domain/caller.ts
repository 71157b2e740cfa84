import type { Role } from './user.js'

/** The authenticated user of a request. */
export interface Caller {
  id: number
  email: string
  role: Role
}
