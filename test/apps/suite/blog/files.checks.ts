import assert from 'node:assert/strict'
import { assertError, assertStatus } from '../answers.ts'
import type { Check } from '../check.ts'
import { send } from '../http.ts'
import { register } from './caller.ts'
import { imageForm, imageOf, upload, urlOf } from './form.ts'

const climbing = [
  ...['/uploads/../package.json', '/uploads/..%2fpackage.json', '/uploads/..%2Fsrc%2Fmain.ts'],
  ...['/uploads/%2e%2e/package.json', '/uploads/%2e%2e%2fpackage.json', '/uploads/..%5cx.png'],
  ...['/uploads/..%252fpackage.json', '/uploads/../../../../../../etc/passwd', '/uploads/%00'],
  ...['/uploads/..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd', '/uploads//etc/passwd'],
  ...['/uploads/%2fetc%2fpasswd', '/uploads/....//x.png', '/uploads/.%00./x.png', '/uploads/%'],
  ...['/uploads/', '/uploads', '/uploads/.', '/uploads/..', '/uploads/.env', '/uploads/%2e'],
  ...['/uploads/x.png', '/uploads/x.png%00', '/uploads/a/b.png', '/uploads/NUL', '/uploads/%ff'],
]

const types: Readonly<Record<string, RegExp>> = {
  png: /^image\/png\b/,
  gif: /^image\/gif\b/,
  jpg: /^image\/jpeg\b/,
  jpeg: /^image\/jpeg\b/,
}

/** Checks of reading uploaded files. */
export const fileChecks: readonly Check[] = [
  {
    title: 'an uploaded file is served without a credential, unchanged, as an image',
    run: async ({ baseUrl }) => {
      const { app: caller } = await register({ baseUrl })
      for (const extension of Object.keys(types)) {
        const file = `a.${extension}`
        for (const size of [8, 300, 100_000]) {
          const image = imageOf(file, size)
          const path = urlOf(await upload(caller, imageForm(file, image)))
          const reply = await send({ baseUrl }, { path })
          assertStatus(reply, 200)
          assert.ok(reply.bytes.equals(image), `${reply.call}: not what was sent`)
          assert.match(String(reply.headers['content-type']), types[extension] ?? /^$/)
        }
      }
    },
  },
  {
    title: 'a served file has its security headers: nosniff, and no framing',
    run: async (app) => {
      const { app: caller } = await register(app)
      const page = Buffer.from('GIF89a<html><script>alert(1)</script></html>')
      const path = urlOf(await upload(caller, imageForm('page.html.GIF', page)))
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await send(app, { method, path })
        assert.equal(status, 200)
        assert.equal(headers['x-content-type-options'], 'nosniff', method)
        assert.doesNotMatch(String(headers['content-type']), /html|script|xml/i)
        assert.equal(headers['referrer-policy'], 'no-referrer')
        const policy = String(headers['content-security-policy'] ?? '')
        const isFramed = !/^deny$/i.test(String(headers['x-frame-options'] ?? ''))
        assert.ok(!isFramed || /frame-ancestors\s+'none'/i.test(policy), `${method} may be framed`)
      }
    },
  },
  {
    title: 'a file request that fails answers JSON that is not cached',
    run: async (app) => {
      const { app: caller } = await register(app)
      const image = imageOf('a.png')
      const path = urlOf(await upload(caller, imageForm('a.png', image)))
      for (const [name, value, status] of [
        ['Range', 'bytes=100000-', 416],
        ['If-Match', '"another"', 412],
        ['If-Unmodified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT', 412],
      ] as const) {
        const reply = await send(app, { path, headers: { [name]: value } })
        if (reply.status === 200) {
          assert.ok(reply.bytes.equals(image), `${name} is passed over, and the file is another`)
          continue
        }
        assertError(reply, status)
        const kept = String(reply.headers['cache-control'] ?? '')
        assert.doesNotMatch(kept, /immutable|max-age=[1-9]/, `${status} may be kept: ${kept}`)
      }
    },
  },
  {
    title: 'no path, encoded or not, leaves or lists the upload folder',
    run: async (app) => {
      const { app: caller } = await register(app)
      urlOf(await upload(caller, imageForm('a.png')))
      for (const path of climbing) {
        const reply = await send(app, { path })
        assertError(reply, 400, 404)
        assert.doesNotMatch(reply.text, /root:|"dependencies"|createApp/, path)
      }
    },
  },
  {
    title: 'a file cannot be changed or deleted over HTTP',
    run: async (app) => {
      const { app: caller } = await register(app)
      const image = imageOf('a.png')
      const path = urlOf(await upload(caller, imageForm('a.png', image)))
      for (const method of ['POST', 'PUT', 'DELETE']) {
        assertError(await send(caller, { method, path }), 405)
      }
      assert.ok((await send(app, { path })).bytes.equals(image), 'the file was changed')
    },
  },
]
