import { answer, bearer, failure, reference } from '../http/doc.js'
import type { ApiDoc, Json } from '../http/openapi.js'

const collection = '/api/v1/posts'
const one = `${collection}/{id}`
const incomplete = { 422: failure('A published post needs a title and content') }

/** Adds the publish route, and the 422 of create and update, to the OpenAPI document of posts. */
export function withPublishing({ paths, schemas }: ApiDoc): ApiDoc {
  return {
    schemas,
    paths: {
      ...paths,
      [collection]: withIncomplete(paths[collection], 'post'),
      [one]: withIncomplete(paths[one], 'put'),
      [`${one}/publish`]: {
        parameters: (paths[one] as Json).parameters,
        post: {
          summary: 'Publish a post',
          operationId: 'publishPost',
          security: bearer.security,
          responses: {
            200: answer('Published', reference('Post')),
            400: failure('Invalid id'),
            ...bearer.failures,
            403: failure('The caller is not the owner of the record'),
            404: failure('No such record'),
            ...incomplete,
          },
        },
      },
    },
  }
}

function withIncomplete(path: unknown, method: string): Json {
  const operations = path as Record<string, { responses: Json }>
  const operation = operations[method]
  return {
    ...operations,
    [method]: { ...operation, responses: { ...operation?.responses, ...incomplete } },
  }
}
