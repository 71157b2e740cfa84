import type { Reply } from './http.ts'

/**
 * The answer to a body that the application may stop reading: it may close the connection while we
 * still write, and then the answer it sent can be lost, so a few tries are fair.
 */
export async function answered(attempt: () => Promise<Reply>, tries = 5): Promise<Reply> {
  for (let left = tries; left > 1; left -= 1) {
    const reply = await attempt().catch(() => undefined)
    if (reply !== undefined) return reply
  }
  return attempt()
}
