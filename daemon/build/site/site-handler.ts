import { createReadStream, type Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { join, sep } from 'node:path'
import send from 'send'

/** A folder of static files on the disk. */
export interface SiteOptions {
  /** Real path of the folder. */
  readonly folder: string
  /** Answers unknown paths without a file extension with `index.html`. */
  readonly isSpa: boolean
}

/**
 * Returns the handler of a site: ETag, ranges, `index.html` of folders, `/about` for `about.html`, and `404.html`. Files
 * outside the folder, files whose path has a part with a leading dot, and `strata.json` are not found.
 */
export function createSiteHandler({ folder, isSpa }: SiteOptions): RequestListener {
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end()
      return
    }
    const path = pathOf(request)
    answer(path, request, response).catch((error) => {
      process.stderr.write(`${request.method} ${path}: ${(error as Error).message}\n`)
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    })
  }

  async function answer(path: string, request: IncomingMessage, response: ServerResponse) {
    if (path === '/strata.json' || !(await isInside(folder, path))) {
      return notFound(path, request, response)
    }
    const stream = send(request, path, { root: folder, extensions: ['html'], dotfiles: 'ignore' })
    stream.on('headers', (headers: ServerResponse) => {
      headers.setHeader('X-Content-Type-Options', 'nosniff')
    })
    stream.on('error', (error: Error & { status?: number; headers?: Record<string, string> }) => {
      if (response.headersSent) response.destroy()
      else if (error.status === 416) response.writeHead(416, error.headers).end()
      else notFound(path, request, response).catch(() => response.destroy())
    })
    stream.pipe(response)
  }

  async function notFound(path: string, request: IncomingMessage, response: ServerResponse) {
    const isPage = isSpa && !/\.[^/]+$/.test(path) && !hasDotPart(path)
    const name = isPage ? 'index.html' : '404.html'
    const file = join(folder, name)
    const found = await stat(file).catch(() => undefined)
    if (!found?.isFile() || !(await isInside(folder, `/${name}`))) {
      response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' })
      response.end(request.method === 'HEAD' ? undefined : 'not found\n')
      return
    }
    sendPage(file, found, isPage ? 200 : 404, request, response)
  }
}

function sendPage(
  file: string,
  { size }: Stats,
  status: number,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': size,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
  })
  if (request.method === 'HEAD') {
    response.end()
    return
  }
  const stream = createReadStream(file)
  stream.on('error', () => response.destroy())
  response.on('close', () => stream.destroy())
  stream.pipe(response)
}

/** Returns the path of a request, still encoded, without its query. */
function pathOf({ url = '/' }: IncomingMessage): string {
  const [path = '/'] = url.split('?')
  return path.startsWith('/') ? path : '/'
}

/** Returns false for a symlink that leads out of the folder. Returns true for missing files, which have no content. */
async function isInside(folder: string, path: string): Promise<boolean> {
  let decoded: string
  try {
    decoded = decodeURIComponent(path)
  } catch {
    return false
  }
  if (decoded.includes('\0')) return false
  for (const name of [decoded, `${decoded}.html`, join(decoded, 'index.html')]) {
    const real = await realpath(join(folder, name)).catch(() => undefined)
    if (real !== undefined && real !== folder && !real.startsWith(folder + sep)) return false
  }
  return true
}

function hasDotPart(path: string): boolean {
  return /(?:^|\/)(?:\.|%2e)/i.test(path)
}
