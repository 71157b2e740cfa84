import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RequestHandler } from 'express'

/** Serves the page that shows /openapi.json and sends requests. Its policy allows only its own script and style. */
export function serveDocs(): RequestHandler {
  const page = readFileSync(new URL('../../public/docs.html', import.meta.url), 'utf8')
  const policy = [
    "default-src 'none'; connect-src 'self'; img-src data:; frame-ancestors 'none'",
    `script-src '${hashOf(page, 'script')}'; style-src '${hashOf(page, 'style')}'`,
  ].join('; ')
  return (_req, res) => {
    res.set('Content-Security-Policy', policy).type('html').send(page)
  }
}

function hashOf(page: string, tag: string): string {
  const [, text = ''] = new RegExp(`<${tag}>(.*)</${tag}>`, 's').exec(page) ?? []
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
