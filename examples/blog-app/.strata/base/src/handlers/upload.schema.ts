import * as z from 'zod'
import { type ApiDoc, components, operation } from '../http/openapi.js'

const uploadReply = z
  .strictObject({ success: z.literal(true), url: z.string() })
  .register(components, { id: 'UploadResponse' })

export function toWire(filename: string): z.input<typeof uploadReply> {
  return { success: true, url: `/uploads/${filename}` }
}

const form = {
  type: 'object',
  properties: { image: { type: 'string', contentMediaType: 'application/octet-stream' } },
  required: ['image'],
}

const images = { 'image/gif': {}, 'image/jpeg': {}, 'image/png': {} }

export const uploadDoc: ApiDoc = {
  '/api/v1/uploads': {
    post: {
      ...operation({
        id: 'uploadImage',
        tag: 'uploads',
        summary: 'Upload an image (.jpg, .jpeg, .png or .gif) of at most 5 MiB',
        token: true,
        reply: uploadReply,
        statuses: [400, 413],
      }),
      requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } },
    },
  },
  '/uploads/{name}': {
    parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
    get: operation({
      id: 'getUpload',
      tag: 'uploads',
      summary: 'Get an uploaded image',
      reply: images,
      statuses: [206, 304, 404, 416],
    }),
  },
}
