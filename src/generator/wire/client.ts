import type { Transform } from './addition.ts'
import { call } from './call-code.ts'
import { imported } from './import-use.ts'
import { resultOf } from './result-of.ts'
import { returnedProperty } from './returned-property.ts'

const createSend = { name: 'createSend', from: './http.js', isType: false }

/** client/index.ts: the feature's calls. */
export const client: Transform = ({ entity }) => {
  const { pascal, kebab, plural } = entity
  const api = imported({
    name: `${pascal}Api`,
    from: `../src/handlers/${kebab}.schema.js`,
    isType: true,
  })
  const createResource = imported({ name: 'createResource', from: './resource.js', isType: false })
  const send = resultOf(createSend, 'send')

  return [
    returnedProperty('createClient', plural.camel, ({ nameOf, quote }) => {
      const type = nameOf(api)
      const path = quote(`/api/v1/${plural.kebab}`)
      return call(`${nameOf(createResource)}<${type}>`, nameOf(send), path)
    }),
  ]
}
