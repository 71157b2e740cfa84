import type { Transform } from './addition.ts'
import { call, callWithArray } from './call.ts'
import { imported } from './imported.ts'
import { returnedProperty } from './returned-property.ts'

/** test/support/memory.ts: the feature's repository in memory. */
export const memory: Transform = ({ entity, fields }) => {
  const domainType = imported({
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
    returnedProperty('createMemoryRepositories', entity.plural.camel, ({ nameOf, quote }) => {
      const type = nameOf(domainType)
      const create = `${nameOf(createRepository)}<${type}>`
      const names = unique.map((field) => quote(field.camel))
      return names.length > 0 ? callWithArray(create, ...names) : call(create, '[]')
    }),
  ]
}
