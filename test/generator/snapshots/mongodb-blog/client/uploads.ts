import type { UploadReply } from '../src/handlers/upload.schema.js'
import type { Send } from './http.js'

export function createUploads(send: Send) {
  return {
    /** Uploads an image; the extension of `name` says of which kind. The answer's `url` is the file's path. */
    create(image: Blob, name: string) {
      const form = new FormData()
      form.set('image', image, name)
      return send<UploadReply>('POST', '/api/v1/uploads', form)
    },
  }
}
