import type { Feature, Field } from './model.ts'
import { entityNames } from './names.ts'

/**
 * The user that a project with `--auth` comes with. It is registered and logged in, and has no routes of its
 * own; features refer to it with `fk(User)`.
 */
export const user: Feature = {
  entity: entityNames('User'),
  fields: [
    { ...field('name', 'name'), type: { kind: 'string' }, min: 2 },
    { ...field('email', 'email'), type: { kind: 'email' }, unique: true },
    { ...field('password_hash', 'passwordHash'), type: { kind: 'string' } },
  ],
  many: [],
  search: [],
  protect: 'none',
}

function field(name: string, camel: string): Omit<Field, 'type'> {
  return { name, camel, optional: false, unique: false, index: false }
}
