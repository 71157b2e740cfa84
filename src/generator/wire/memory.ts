import type { Transform } from './addition.ts'
import { call } from './call-code.ts'
import { imported } from './import-use.ts'
import { parameterAbout } from './parameter.ts'
import { returnedProperty } from './returned-property.ts'

/** test/support/memory.ts: the feature's repository in memory. */
export const memory: Transform = ({ entity }) => {
  const table = imported({
    name: `${entity.camel}Table`,
    from: `./tables/${entity.kebab}.table.js`,
    isType: false,
  })
  const createRepository = imported({
    name: 'createMemoryRepository',
    from: './memory-repository.js',
    isType: false,
  })
  const tables = parameterAbout('tables', /MemoryTables/)

  return [
    returnedProperty('createMemoryRepositories', entity.plural.camel, ({ nameOf }) =>
      call(nameOf(createRepository), nameOf(tables), nameOf(table)),
    ),
  ]
}
