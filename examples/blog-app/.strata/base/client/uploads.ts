import type { UploadReply } from '../src/handlers/upload.schema.js'
import type { Send } from './http.js'

export function createUploads(send: Send) {
  return {
    /** Uploads an image; `name` needs an image's file extension. Returns the path of the file as `url`. */
    create(image: Blob, name: string) {
      const form = new FormData()
      form.set('image', image, name)
      return send<UploadReply>('POST', '/api/v1/uploads', form)
    },
  }
}
