import type { Feature, Field } from './model.ts'
import { entityNames } from './names.ts'

/**
 * The user of a project with `--auth`. Users register and log in; there are no CRUD routes. Features refer to
 * the user with `fk(User)`.
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
