import type { Transform } from './addition.ts'
import { callCode, callWithObject } from './call-code.ts'
import { importUse } from './import-use.ts'
import { parameterUse, parameterUseMatching } from './parameter-use.ts'
import { returnedProperty } from './returned-property.ts'

/** Adds the feature's repository and service to src/container.ts. */
export const container: Transform = ({ entity }, { adapter, repositories: others = [] }) => {
  const { pascal, kebab } = entity
  const property = entity.plural.camel
  const createRepository = importUse({
    name: `create${pascal}Repository`,
    from: `./repositories/${kebab}.repository.${adapter}.js`,
    isType: false,
  })
  const createService = importUse({
    name: `create${pascal}Service`,
    from: `./use-cases/${kebab}.service.js`,
    isType: false,
  })
  const store = parameterUse('store', 'Store')
  const repositories = parameterUse('repositories', 'Repositories', property)
  const clock = parameterUseMatching('now', /\bDate\b|[Cc]lock/)

  return [
    returnedProperty('createRepositories', property, ({ nameOf }) =>
      callCode(nameOf(createRepository), nameOf(store)),
    ),
    returnedProperty('createContainer', property, ({ nameOf }) => {
      const now = nameOf(clock)
      return callWithObject(
        nameOf(createService),
        `repository: ${nameOf(repositories)}.${property}`,
        ...others.map(({ name, property }) => `${name}: ${nameOf(repositories)}.${property}`),
        now === 'now' ? now : `now: ${now}`,
      )
    }),
  ]
}
