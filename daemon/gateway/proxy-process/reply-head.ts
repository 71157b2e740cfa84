import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Thrown if the app's response can't be relayed: it accepts a protocol that the gateway did not offer, or Node can't
 * write its head.
 */
export class UnusableReply extends Error {}

/** Writes status and headers of an app's response. Throws UnusableReply for a status below 200 and for unwritable headers. */
export function writeReplyHead(
  response: ServerResponse,
  reply: IncomingMessage,
  headers: string[],
): void {
  const { statusCode = 0 } = reply
  // Node emits `response` also for a 101 without an `Upgrade` header.
  if (statusCode < 200) throw new UnusableReply(`the status ${statusCode} ends no request`)
  try {
    response.writeHead(statusCode, reply.statusMessage, headers)
  } catch {
    // The gateway's own error response must not contain the app's reason phrase.
    response.statusMessage = ''
    throw new UnusableReply('the head of the response is not writable')
  }
}
