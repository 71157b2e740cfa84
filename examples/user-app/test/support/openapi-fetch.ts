import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

interface OpenApi {
  openapi: string
  paths: Record<string, Record<string, { responses?: Record<string, { content?: object }> }>>
}

export async function getOpenApi(baseUrl: string) {
  return (await (await fetch(`${baseUrl}/openapi.json`)).json()) as OpenApi
}

/** Returns a `fetch` that throws if a response does not match the app's /openapi.json. */
export async function createOpenApiFetch(baseUrl: string): Promise<typeof fetch> {
  const document = await getOpenApi(baseUrl)
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(document, 'document')

  return async (input, init) => {
    const response = await fetch(input, init)
    const path = new URL(String(input)).pathname.replace(/\/\d+$/, '/{id}')
    const method = (init?.method ?? 'GET').toLowerCase()
    const documented = document.paths[path]?.[method]?.responses?.[response.status]
    if (!documented)
      throw new Error(`${method} ${path} responded with undocumented status ${response.status}`)
    if (!documented.content) return response

    const steps = [
      'paths',
      path,
      method,
      'responses',
      response.status,
      'content',
      'application/json',
      'schema',
    ]
    const $ref = `document#/${steps.map(toPointerStep).join('/')}`
    if (!ajv.validate({ $ref }, await response.clone().json())) {
      throw new Error(`${method} ${path} responded with an undocumented body: ${ajv.errorsText()}`)
    }
    return response
  }
}

/** Escapes one step of a JSON pointer (RFC 6901) in a URL. */
function toPointerStep(step: string | number): string {
  return encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1'))
}
