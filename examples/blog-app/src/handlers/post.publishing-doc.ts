import { type ApiDoc, type Json, operation } from '../http/openapi.js'
import type { postReply } from './post.schema.js'

const one = '/api/v1/posts/{id}'

/** Documents the publish route. `paths` are the other routes of posts. */
export function withPublishing(paths: ApiDoc, reply: typeof postReply): ApiDoc {
  return {
    ...paths,
    [`${one}/publish`]: {
      parameters: (paths[one] as Json).parameters,
      post: operation({
        id: 'publishPost',
        tag: 'posts',
        summary: 'Publish a post',
        token: true,
        reply,
        hasEtag: true,
        statuses: [400, 403, 404, 412, 422],
      }),
    },
  }
}
