import { ConnectionError, ResponseError } from '../../../client/errors.ts'

export interface ErrorText {
  /** A sentence for a person. */
  readonly sentence: string
  readonly requestId: string | undefined
}

/** Returns the sentence of an error, and the id under which the daemon logs the request. */
export function errorText(error: unknown): ErrorText {
  if (error instanceof ResponseError) {
    return { sentence: asSentence(error.message), requestId: error.requestId }
  }
  const message = error instanceof Error ? error.message : String(error)
  const prefix = error instanceof ConnectionError ? 'no answer: ' : ''
  return { sentence: asSentence(prefix + message), requestId: undefined }
}

/** Messages of the daemon start in lower case and have no final point. A URL at the start keeps its case. */
export function asSentence(message: string): string {
  const text = message.trim()
  const isUrl = /^https?:\/\//.test(text)
  const begun = isUrl ? text : text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`
}
