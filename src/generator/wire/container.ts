import type { Transform } from './addition.ts'
import { call, callWithObject } from './call-code.ts'
import { imported } from './import-use.ts'
import { parameter, parameterAbout } from './parameter.ts'
import { returnedProperty } from './returned-property.ts'

/** src/container.ts: the feature's repository and its service. */
export const container: Transform = ({ entity }, adapter) => {
  const { pascal, kebab } = entity
  const property = entity.plural.camel
  const createRepository = imported({
    name: `create${pascal}Repository`,
    from: `./repositories/${kebab}.repository.${adapter}.js`,
    isType: false,
  })
  const createService = imported({
    name: `create${pascal}Service`,
    from: `./use-cases/${kebab}.service.js`,
    isType: false,
  })
  const store = parameter('store', 'Store')
  const repositories = parameter('repositories', 'Repositories', property)
  const clock = parameterAbout('now', /\bDate\b|[Cc]lock/)

  return [
    returnedProperty('createRepositories', property, ({ nameOf }) =>
      call(nameOf(createRepository), nameOf(store)),
    ),
    returnedProperty('createContainer', property, ({ nameOf }) => {
      const now = nameOf(clock)
      return callWithObject(
        nameOf(createService),
        `repository: ${nameOf(repositories)}.${property}`,
        now === 'now' ? now : `now: ${now}`,
      )
    }),
  ]
}
