import { type Exchange, Refusal } from './exchange.ts'

export interface FormPart {
  readonly field: string
  /** Undefined for a text field. */
  readonly file?: string
  readonly content: Buffer
}

/** Parses a multipart body; empty if it is not a form. Throws if the form is malformed. */
export function partsOf({ req, is }: Exchange, body: Buffer): readonly FormPart[] {
  const type = req.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return []
  const [, boundary] = /boundary=([^;]+)/.exec(type) ?? []
  if (boundary === undefined) throw new Refusal(400, 'the form has no boundary')
  const mark = `--${boundary}`
  const whole = Buffer.concat([Buffer.from('\r\n'), body])
  const parts: FormPart[] = []
  let at = whole.indexOf(`\r\n${mark}`)
  while (at >= 0) {
    const start = at + mark.length + 2
    if (whole.subarray(start, start + 2).toString() === '--') return parts
    const next = whole.indexOf(`\r\n${mark}`, start)
    const end = next < 0 && is('truncated-kept') ? whole.length : next
    if (end < 0) break
    parts.push(partOf(whole.subarray(start + 2, end)))
    at = next
  }
  if (is('truncated-kept') && parts.length > 0) return parts
  throw new Refusal(400, 'the form breaks off')
}

function partOf(bytes: Buffer): FormPart {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) throw new Refusal(400, 'a part of the form has no end')
  const head = bytes.subarray(0, end).toString()
  const [, field = ''] = /[; ]name="([^"]*)"/.exec(head) ?? []
  const [, file] = /filename="([^"]*)"/.exec(head) ?? []
  return { field, content: bytes.subarray(end + 4), ...(file ? { file } : {}) }
}
