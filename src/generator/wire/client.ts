import type { Transform } from './addition.ts'
import { callCode } from './call-code.ts'
import { importUse } from './import-use.ts'
import { resultUse } from './result-use.ts'
import { returnedProperty } from './returned-property.ts'

const createSend = { name: 'createSend', from: './http.js', isType: false }

/** Adds the feature's resource to client/index.ts. */
export const client: Transform = ({ entity }) => {
  const { pascal, kebab, plural } = entity
  const api = importUse({
    name: `${pascal}Api`,
    from: `./${kebab}.api.js`,
    isType: true,
  })
  const createResource = importUse({ name: 'createResource', from: './resource.js', isType: false })
  const send = resultUse(createSend, 'send')

  return [
    returnedProperty('createClient', plural.camel, ({ nameOf, quote }) => {
      const create = nameOf(createResource)
      const path = quote(`/api/v1/${plural.kebab}`)
      return callCode(`${create}<${nameOf(api)}>`, nameOf(send), path)
    }),
  ]
}
