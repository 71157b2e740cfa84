import type { Transform } from './addition.ts'
import { callWithArray } from './call.ts'
import { imported } from './imported.ts'
import { returnedProperty } from './returned-property.ts'

/** test/support/memory.ts: the feature's repository in memory. */
export const memory: Transform = ({ entity, fields }) => {
  const type = imported({
    name: entity.type,
    from: `../../src/domain/${entity.kebab}.js`,
    isType: true,
  })
  const createRepository = imported({
    name: 'createMemoryRepository',
    from: './memory-repository.js',
    isType: false,
  })
  const unique = fields.filter((field) => field.unique)

  return [
    returnedProperty('createMemoryRepositories', entity.plural.camel, ({ nameOf, quote }) =>
      callWithArray(
        `${nameOf(createRepository)}<${nameOf(type)}>`,
        ...unique.map((field) => quote(field.camel)),
      ),
    ),
  ]
}
