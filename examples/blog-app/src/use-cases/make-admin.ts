import type { UserRepository } from '../repositories/user.repository.js'

/** Gives a user the role `admin`. Returns false if no user has the e-mail address. */
export async function makeAdmin(users: UserRepository, email: string, now: Date): Promise<boolean> {
  const user = await users.findByEmail(email.toLowerCase())
  if (!user) return false
  if (await users.updateIfUnchanged(user, { role: 'admin', updatedAt: now })) return true
  // Another request changed the user meanwhile.
  return makeAdmin(users, email, now)
}
