import type { ServerResponse } from 'node:http'

/** Sends `body` as JSON. Keeps headers that are already set. */
export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  const text = Buffer.from(JSON.stringify(body))
  res.statusCode = status
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.setHeader('Content-Length', text.length)
  res.end(text)
}

/** Sends one line of text. Keeps headers that are already set. */
export function sendText(res: ServerResponse, status: number, line: string): void {
  const text = Buffer.from(`${line}\n`)
  res.statusCode = status
  res.setHeader('Content-Type', 'text/plain; charset=utf-8')
  res.setHeader('Content-Length', text.length)
  res.end(text)
}

/**
 * Headers of every response. They forbid MIME sniffing, framing, caching and scripts. The wake page sets its own
 * policy.
 */
export const commonHeaders = new Map([
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
])
