import * as z from 'zod'
import { answer, bearer, failure, jsonSchema } from '../http/doc.js'
import type { ApiDoc } from '../http/openapi.js'

const uploadReply = z.strictObject({ success: z.literal(true), url: z.string() })

export function toWire(filename: string): z.input<typeof uploadReply> {
  return { success: true, url: `/uploads/${filename}` }
}

const form = {
  type: 'object',
  properties: { image: { type: 'string', contentMediaType: 'application/octet-stream' } },
  required: ['image'],
}

export const uploadDoc: ApiDoc = {
  paths: {
    '/api/v1/uploads': {
      post: {
        summary: 'Upload an image (.jpg, .jpeg, .png or .gif) of at most 5 MiB',
        operationId: 'uploadImage',
        security: bearer.security,
        requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } },
        responses: {
          200: answer('Saved', jsonSchema(uploadReply)),
          400: failure('No image in the form, or the file is not an image'),
          ...bearer.failures,
          413: failure('The file is too large'),
          500: failure('The file cannot be saved'),
        },
      },
    },
    '/uploads/{name}': {
      parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        summary: 'Get an uploaded image',
        operationId: 'getUpload',
        responses: {
          200: {
            description: 'The image',
            content: { 'image/gif': {}, 'image/jpeg': {}, 'image/png': {} },
          },
          404: failure('No such file'),
        },
      },
    },
  },
  schemas: {},
}
