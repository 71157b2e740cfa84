import type { CallOptions, Send } from './http.js'

export interface UploadReply {
  success: true
  /** Path of the file. */
  url: string
}

export function createUploads(send: Send) {
  return {
    /** Uploads an image. `name` needs an image's file extension. */
    create(image: Blob, name: string, options?: CallOptions) {
      const form = new FormData()
      form.set('image', image, name)
      return send<UploadReply>('POST', '/api/v1/uploads', form, options)
    },
  }
}
