import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { callerOf } from './auth.ts'
import { type Exchange, Refusal, readBytes, sendBytes, sendJson, sendNothing } from './exchange.ts'
import { type FormPart, partsOf } from './form-data.ts'

const largest = 5 * 1024 * 1024
const roomForForm = 64 * 1024

const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
}

/** Stores the file of the field `image`. */
export async function receiveUpload(exchange: Exchange): Promise<void> {
  const { req, is, folder } = exchange
  callerOf(exchange)
  if (is('saves-first')) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${randomUUID()}.png`), 'what came')
  }
  if (is('not-form-415') && !req.headers['content-type']?.startsWith('multipart/')) {
    throw new Refusal(415, 'send a form')
  }
  const limit = is('limit-5-mb') ? 5_000_000 : is('limit-loose') ? 2 * largest : largest
  const parts = partsOf(exchange, await bodyOf(exchange, limit))
  if (is('fields-refused') && parts.length > 1) throw new Refusal(422, 'one field, please')
  if (is('long-field-500') && parts.some(({ field }) => field.length > 1000)) throw new RangeError()
  const image = imageIn(exchange, parts)
  if (image?.file === undefined) {
    throw new Refusal(400, is('no-file-told') ? 'missing file' : 'No file uploaded')
  }
  if (is('climbing-refused') && /\.\.|[\\/]/.test(image.file)) throw new Refusal(400, 'bad name')
  const extension = extensionOf(exchange, image.file)
  checkImage(exchange, image.content, extension)
  if (image.content.length > limit) throw new Refusal(413, 'the file is too large')
  const name = `${nameOf(exchange)}${is('extension-lowered') ? extension.toLowerCase() : extension}`
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, name), image.content)
  } catch (error) {
    if (is('save-crashes')) process.exit(3)
    if (is('save-ignored'))
      return sendJson(exchange, 200, { success: true, url: `/uploads/${name}` })
    throw new Refusal(500, is('save-told') ? String(error) : 'Failed to save file')
  }
  if (is('upload-copied')) writeFileSync(join(folder, '..', basename(image.file)), image.content)
  sendJson(exchange, 200, { success: true, url: `/uploads/${name}` })
}

/** Responds with a file of the folder. */
export function sendUpload(exchange: Exchange, name: string): void {
  const { folder, is } = exchange
  if (is('files-closed')) callerOf(exchange)
  if (is('files-listed') && name === '') {
    sendJson(exchange, 200, readdirSync(folder))
    return
  }
  const isPlain = /^[0-9a-f-]{36}\.[A-Za-z]+$/.test(name) || is('files-climb')
  const path = join(folder, name)
  if (!isPlain || !existsSync(path) || statSync(path).isDirectory()) {
    throw new Refusal(404, 'no such file')
  }
  const type = types[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'text/plain'
  const bytes = readFileSync(path)
  const isPast = is('range-as-image') && exchange.req.headers.range === 'bytes=100000-'
  if (isPast) {
    sendBytes(exchange, 416, type, JSON.stringify({ error: 'no such range' }))
    return
  }
  const isPage = is('files-sniffed') && bytes.includes('<html>')
  sendBytes(exchange, 200, isPage ? 'text/html' : is('files-untyped') ? 'text/plain' : type, bytes)
}

/** For the mutant `files-deletable`. */
export function removeUpload(exchange: Exchange, name: string): void {
  rmSync(join(exchange.folder, name), { force: true })
  sendNothing(exchange)
}

/** Throws unless the first bytes fit the extension. */
function checkImage({ is }: Exchange, content: Buffer, extension: string): void {
  if (is('first-bytes-unread') && content.length > 0) return
  if (is('empty-passes') && content.length === 0) return
  const expected = is('images-mixed') ? Object.values(signatures).flat() : signaturesOf(extension)
  const head = content.toString('latin1', 0, 8)
  if (is('old-gif-refused') && head.startsWith('GIF87a')) throw new Refusal(400, 'too old')
  if (!expected.some((bytes) => head.startsWith(bytes))) throw new Refusal(400, 'Invalid file type')
}

const signatures: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['\x89PNG\r\n\x1a\n'],
  'image/gif': ['GIF87a', 'GIF89a'],
  'image/jpeg': ['\xff\xd8\xff'],
}

function signaturesOf(extension: string): readonly string[] {
  return (
    signatures[types[extension.slice(1).toLowerCase()] ?? ''] ?? Object.values(signatures).flat()
  )
}

/** Throws as soon as the bytes that came show that the image will be refused. */
function checkBeginning(exchange: Exchange, bytes: Buffer, limit: number): void {
  if (exchange.is('refuses-late')) return
  if (bytes.length > limit + roomForForm) throw new Refusal(413, 'the file is too large')
  const end = bytes.indexOf('\r\n\r\n')
  const [, file] = /name="image"; filename="([^"]+)"/.exec(bytes.toString('latin1', 0, end)) ?? []
  if (end < 0 || file === undefined || bytes.length < end + 4 + 100) return
  checkImage(exchange, bytes.subarray(end + 4), extensionOf(exchange, file))
}

async function bodyOf(exchange: Exchange, limit: number): Promise<Buffer> {
  const { is, folder } = exchange
  const isLeft = is('part-left') || is('part-left-by-kill') || is('part-left-by-stop')
  if (!isLeft) {
    const check = (bytes: Buffer) => checkBeginning(exchange, bytes, limit)
    return readBytes(exchange, limit + roomForForm, check)
  }
  mkdirSync(folder, { recursive: true })
  const part = join(folder, `${randomUUID()}.part`)
  writeFileSync(part, 'half')
  const bytes = await readBytes(exchange, limit + roomForForm)
  partsOf(exchange, bytes)
  rmSync(part)
  return bytes
}

function imageIn({ is }: Exchange, parts: readonly FormPart[]): FormPart | undefined {
  const files = parts.filter(({ file }) => file !== undefined)
  return files.find(({ field }) => field === 'image' || is('any-field'))
}

function extensionOf({ is }: Exchange, file: string): string {
  const [extension = ''] = /\.[A-Za-z]+$/.exec(file) ?? []
  const known = /^\.(jpe?g|png|gif)$/i.test(extension)
  const isSvg = is('svg-passes') && extension === '.svg'
  const isWithin = is('extension-anywhere') && /\.(jpe?g|png|gif)/i.test(file)
  if (!known && !isSvg && !isWithin) throw new Refusal(400, 'Invalid file type')
  return extension
}

function nameOf({ is }: Exchange): string {
  const second = String(Math.floor(Date.now() / 1000)).padStart(12, '0')
  return is('named-by-second') ? `00000000-0000-4000-8000-${second}` : randomUUID()
}
