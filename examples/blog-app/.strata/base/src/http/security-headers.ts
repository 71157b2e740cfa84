import type { RequestHandler } from 'express'

/** Responses are data: browsers must not frame, sniff or run them. */
const headers = new Map([
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
])

export const securityHeaders: RequestHandler = (_req, res, next) => {
  res.setHeaders(headers)
  next()
}
