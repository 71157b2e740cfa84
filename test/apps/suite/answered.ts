import type { Reply } from './http.ts'

/**
 * Sends a body that the application may stop reading. The application can close the connection
 * during the write, which can lose its response. Therefore the request is retried a few times.
 */
export async function answered(attempt: () => Promise<Reply>, tries = 5): Promise<Reply> {
  for (let left = tries; left > 1; left -= 1) {
    const reply = await attempt().catch(() => undefined)
    if (reply !== undefined) return reply
  }
  return attempt()
}
