import type { Transform } from './addition.ts'
import { callCode } from './call-code.ts'
import { importUse } from './import-use.ts'
import { parameterUseMatching } from './parameter-use.ts'
import { returnedProperty } from './returned-property.ts'

/** Adds the feature's in-memory repository to test/support/memory.ts. */
export const memory: Transform = ({ entity }) => {
  const table = importUse({
    name: `${entity.camel}Table`,
    from: `./tables/${entity.kebab}.table.js`,
    isType: false,
  })
  const createRepository = importUse({
    name: 'createMemoryRepository',
    from: './memory-repository.js',
    isType: false,
  })
  const tables = parameterUseMatching('tables', /MemoryTables/)

  return [
    returnedProperty('createMemoryRepositories', entity.plural.camel, ({ nameOf }) =>
      callCode(nameOf(createRepository), nameOf(tables), nameOf(table)),
    ),
  ]
}
