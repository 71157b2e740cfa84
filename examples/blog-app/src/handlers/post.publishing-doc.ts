import { answer, bearer, failure, reference } from '../http/doc.js'
import type { ApiDoc, Json } from '../http/openapi.js'

const collection = '/api/v1/posts'
const one = `${collection}/{id}`
const incomplete = { 422: failure('A published post without title or content') }

/** The document of the posts with what the rule of publishing adds to it. */
export function withPublishing({ paths, schemas }: ApiDoc): ApiDoc {
  return {
    schemas,
    paths: {
      ...paths,
      [collection]: refusing(paths[collection], 'post'),
      [one]: refusing(paths[one], 'put'),
      [`${one}/publish`]: {
        parameters: (paths[one] as Json).parameters,
        post: {
          summary: 'Publish a post',
          operationId: 'publishPost',
          security: bearer.security,
          responses: {
            200: answer('Published', reference('Post')),
            400: failure('A bad id'),
            ...bearer.failures,
            403: failure('The record of somebody else'),
            404: failure('No such record'),
            ...incomplete,
          },
        },
      },
    },
  }
}

function refusing(path: unknown, method: string): Json {
  const operations = path as Record<string, { responses: Json }>
  const operation = operations[method]
  return {
    ...operations,
    [method]: { ...operation, responses: { ...operation?.responses, ...incomplete } },
  }
}
