import assert from 'node:assert/strict'
import { answered } from '../answered.ts'
import { assertError, assertStatus } from '../answers.ts'
import type { Check } from '../check.ts'
import { send } from '../http.ts'
import { headerLines, openRaw } from '../raw.ts'
import { assertText, register } from './caller.ts'
import { formOf, imageForm, imageOf, malformed, upload, uploadsPath, urlOf } from './form.ts'

const limit = 5 * 1024 * 1024

const goodNames = [
  ...['a.jpg', 'b.jpeg', 'c.png', 'd.gif', 'E.JPG', 'f.Jpeg', 'g.PNG', 'h.GiF'],
  ...['archive.tar.png', 'run.php.jpg', 'page.html.gif', 'évasion 日本.png', 'a b.png', '-rf.png'],
  `${'x'.repeat(200)}.png`,
]

const climbingNames = [
  ...['../../up.png', '..\\\\..\\\\up.png', '/etc/up.png', 'C:\\\\up.png', './up.png'],
  ...['....//up.png', '%2e%2e%2fup.png', '..%2fup.png', '~/up.png'],
]

const badNames = [
  ...['a', 'a.txt', 'a.svg', 'a.html', 'a.php', 'a.exe', 'a.webp', 'a.jpg.exe', 'a.png.html'],
  ...['a.jpgx', 'a.jp', 'a.png ', 'a.png.', 'jpg', 'a_png', 'a.png;', 'a.png%00'],
]

/** File names and the first bytes of their type. */
const signatures = [
  ['a.png', '89504e470d0a1a0a'],
  ['a.gif', '474946383761'],
  ['a.gif', '474946383961'],
  ['a.jpg', 'ffd8ff'],
  ['a.jpeg', 'ffd8ffe1'],
] as const

function typeOf(file: string): string {
  return file.slice(-3).toLowerCase().replace('peg', 'jpg')
}

/** Checks of uploads: extensions, sizes and malformed forms. */
export const uploadChecks: readonly Check[] = [
  {
    title: 'an image is stored under a new name with its original extension',
    run: async (app) => {
      const { app: caller } = await register(app)
      const urls: string[] = []
      for (const file of [...goodNames, 'a.jpg']) {
        const url = urlOf(await upload(caller, imageForm(file)))
        assert.equal(url.slice(url.lastIndexOf('.')), file.slice(file.lastIndexOf('.')), file)
        urls.push(url)
      }
      assert.equal(new Set(urls).size, urls.length, 'a name came twice')
    },
  },
  {
    title: 'only the extension of a path-like file name is used',
    run: async (app) => {
      const { app: caller } = await register(app)
      for (const file of climbingNames) {
        const url = urlOf(await upload(caller, imageForm(file)))
        assert.match(url, /\.png$/, file)
        assertStatus(await send(app, { path: url }), 200)
      }
    },
  },
  {
    title: 'an unsupported extension answers 400 "Invalid file type"',
    run: async (app) => {
      const { app: caller } = await register(app)
      for (const file of badNames) {
        const reply = await upload(caller, imageForm(file))
        assertError(reply, 400)
        assertText(reply, 400, 'Invalid file type', `with ${file}`)
      }
    },
  },
  {
    title: 'an image is stored if it has the first bytes of its type, and nothing more',
    run: async (app) => {
      const { app: caller } = await register(app)
      for (const [file, hex] of signatures) {
        urlOf(await upload(caller, imageForm(file, Buffer.from(hex, 'hex'))))
      }
    },
  },
  {
    title: 'a file whose first bytes do not fit its extension answers 400 "Invalid file type"',
    run: async (app) => {
      const { app: caller } = await register(app)
      const texts = ['<html><script>alert(1)</script></html>', ' \x89PNG', 'GIF', 'GIF88a', 'x']
      for (const file of ['a.png', 'a.gif', 'a.jpg', 'a.JPEG']) {
        const others = signatures.filter(([name]) => typeOf(name) !== typeOf(file))
        const contents = [
          ...others.map(([, hex]) => Buffer.from(`${hex}00000000000000000000`, 'hex')),
          ...texts.map((text) => Buffer.from(text, 'latin1')),
        ]
        for (const content of contents) {
          const reply = await upload(caller, imageForm(file, content))
          assertText(reply, 400, 'Invalid file type', `${file} with ${content.toString('hex')}`)
        }
      }
    },
  },
  {
    title: 'an empty file answers 400',
    run: async (app) => {
      const { app: caller } = await register(app)
      for (const file of ['a.png', 'a.gif', 'a.jpg']) {
        assertError(await upload(caller, imageForm(file, Buffer.alloc(0))), 400)
      }
    },
  },
  {
    title: 'a refused file is answered before its end',
    run: async (app) => {
      const { app: caller } = await register(app)
      const cases = [
        [imageForm('a.svg', imageOf('a.png', limit)), 10_000, 400],
        [imageForm('a.png', Buffer.alloc(limit, '<p>text</p>')), 10_000, 400],
        [imageForm('a.png', imageOf('a.png', 2 * limit)), limit + 100_000, 413],
      ] as const
      for (const [{ headers, body }, length, status] of cases) {
        const connection = await openRaw(app)
        const lines = { Host: 'x', ...headers, 'Content-Length': String(body.length) }
        const head = headerLines({ ...caller, headers: { ...caller.headers, ...lines } })
        connection.write(`POST ${uploadsPath} HTTP/1.1\r\n${head}\r\n`)
        connection.write(body.subarray(0, length).toString('latin1'))
        await connection.until(new RegExp(`^HTTP/1.1 ${status} [^]*"error"`))
        connection.destroy()
      }
    },
  },
  {
    title: 'a form without a file in the field image answers 400 "No file uploaded"',
    run: async (app) => {
      const { app: caller } = await register(app)
      const content = imageOf('a.png')
      const forms = [
        formOf(),
        formOf({ field: 'image', content: 'text and no file' }),
        formOf({ field: 'image', file: '', content: '' }),
        formOf({ field: 'file', file: 'a.png', content }),
        formOf({ field: 'Image', file: 'a.png', content }),
        formOf({ field: 'image[]', file: 'a.png', content }),
        formOf({ field: 'title', content: 'x' }),
      ]
      for (const form of forms) {
        const reply = await upload(caller, form)
        assertError(reply, 400)
        assertText(reply, 400, 'No file uploaded', form.body.toString('latin1').slice(0, 150))
      }
    },
  },
  {
    title: 'an upload that is no form answers "No file uploaded"',
    run: async (app) => {
      const { app: caller } = await register(app)
      const call = { method: 'POST', path: uploadsPath }
      const json = { image: 'a.png' }
      assertText(await send(caller, { ...call, json }), 400, 'No file uploaded')
      assertText(await send(caller, call), 400, 'No file uploaded')
      const headers = { ...caller.headers, 'Content-Type': 'image/png' }
      const reply = await send(caller, { ...call, headers, body: imageOf('a.png') })
      assertText(reply, 400, 'No file uploaded')
    },
  },
  {
    title: 'a truncated form and a form without a boundary answer 400',
    run: async (app) => {
      const { app: caller } = await register(app)
      const { headers, body } = imageForm('a.png')
      for (const length of [0, 10, 60, 130, 300, body.length - 30]) {
        assertError(await upload(caller, { headers, body: body.subarray(0, length) }), 400)
      }
      for (const type of ['multipart/form-data', 'multipart/form-data; boundary=']) {
        assertError(await upload(caller, { headers: { 'Content-Type': type }, body }), 400)
      }
      const other = { 'Content-Type': 'multipart/form-data; boundary=other' }
      assertError(await upload(caller, { headers: other, body }), 400)
      urlOf(await upload(caller, imageForm('a.png')))
    },
  },
  {
    title: 'a file of exactly 5 MiB is stored, and one byte more answers 413',
    run: async (app) => {
      const { app: caller } = await register(app)
      const largest = imageOf('a.png', limit)
      const url = urlOf(await upload(caller, imageForm('a.png', largest)))
      const { bytes } = await send(app, { path: url })
      assert.ok(bytes.equals(largest), 'not what was sent')
      for (const size of [limit + 1, 2 * limit]) {
        const form = imageForm('a.png', imageOf('a.png', size))
        assertError(await answered(() => upload(caller, form)), 413)
      }
      urlOf(await upload(caller, imageForm('a.png')))
    },
  },
  {
    title: 'two files, or a file among other fields, never answer 5xx',
    run: async (app) => {
      const { app: caller } = await register(app)
      const image = { field: 'image', file: 'a.png', content: imageOf('a.png') }
      const two = await upload(caller, formOf(image, { ...image, file: 'b.gif' }))
      if (two.status === 200) assert.match(urlOf(two), /\.(png|gif)$/)
      else assertError(two, 400)
      const text = { field: 'title', content: 'x' }
      urlOf(await upload(caller, formOf(text, image, text)))
      const mixed = await upload(caller, formOf(image, { ...image, field: 'other' }))
      if (mixed.status === 200) urlOf(mixed)
      else assertError(mixed, 400)
    },
  },
  {
    title: 'unusual forms never answer 5xx',
    run: async (app) => {
      const { app: caller } = await register(app)
      const file = { field: 'image', file: 'a.png', content: imageOf('a.png') }
      const oddFields = ['', '__proto__', 'constructor', 'image[0]', 'a[b][c', 'x'.repeat(2000)]
      const forms = [
        ...oddFields.flatMap((field) => [
          formOf({ ...file, field }),
          formOf({ field, content: 'x' }, file),
        ]),
        formOf({ ...file, content: '' }),
        formOf({ ...file, file: `${'x'.repeat(5000)}.png` }),
        formOf(...Array.from({ length: 1500 }, () => ({ field: 'a', content: 'x' })), file),
        formOf({ field: 'a', content: 'x'.repeat(1_500_000) }, file),
        malformed('Content-Disposition: form-data'),
        malformed('Content-Disposition: attachment; name="image"; filename="a.png"'),
        malformed('no header at all'),
        malformed('Content-Type: image/png'),
      ]
      for (const form of forms) {
        const reply = await answered(() => upload(caller, form))
        if (reply.status === 200) urlOf(reply)
        else assertError(reply, 400, 413)
      }
      urlOf(await upload(caller, imageForm('a.png')))
    },
  },
  {
    title: 'ten concurrent uploads create ten files',
    run: async (app) => {
      const { app: caller } = await register(app)
      const images = Array.from({ length: 10 }, (_, at) => imageOf('a.png', 5000 + at))
      const replies = await Promise.all(
        images.map((image) => upload(caller, imageForm('a.png', image))),
      )
      for (const [at, reply] of replies.entries()) {
        const { bytes } = await send(app, { path: urlOf(reply) })
        assert.ok(images[at]?.equals(bytes), `upload ${at} reads back as another`)
      }
    },
  },
]
