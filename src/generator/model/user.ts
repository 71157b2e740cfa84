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
    {
      ...field('role', 'role'),
      type: { kind: 'enum', values: ['user', 'admin'] },
      default: { kind: 'literal', value: 'user' },
    },
    // The tokens of the user that are valid. See domain/user.ts of an emitted project.
    {
      ...field('token_version', 'tokenVersion'),
      type: { kind: 'uint' },
      default: { kind: 'literal', value: 0 },
    },
    { ...field('kept_token', 'keptToken'), type: { kind: 'string' }, optional: true },
    {
      ...field('revoked_tokens', 'revokedTokens'),
      type: { kind: 'text' },
      default: { kind: 'literal', value: '' },
    },
  ],
  many: [],
  search: [],
  protect: 'none',
}

/** The user of projects that were emitted before users had a role and tokens that end. */
export const formerUser: Feature = { ...user, fields: user.fields.slice(0, 3) }

function field(name: string, camel: string): Omit<Field, 'type'> {
  return { name, camel, optional: false, unique: false, index: false }
}
