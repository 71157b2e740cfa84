import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { eventually } from '../../../support/apps/eventually.ts'
import { assertError, assertStatus } from '../answers.ts'
import type { AppUnderTest } from '../check.ts'
import { send } from '../http.ts'
import { type Launcher, type ProcessCheck, withApp } from '../process.ts'
import { headerLines, openRaw, type RawConnection } from '../raw.ts'
import { assertText, bearer, register } from './caller.ts'
import { formOf, imageForm, imageOf, upload, uploadsPath, urlOf } from './form.ts'

/** Checks of the files in UPLOAD_DIR. */
export const diskChecks: readonly ProcessCheck[] = [
  {
    title: 'a failed save answers 500 "Failed to save file", and the process continues',
    run: (launcher) =>
      inFolder(launcher, async ({ folder, boot }) => {
        await withApp(boot(), async (app) => {
          const { app: caller } = await register(app)
          await rm(folder, { recursive: true, force: true })
          await writeFile(folder, 'a file where the folder would be')
          for (let turn = 0; turn < 2; turn += 1) {
            const reply = await upload(caller, imageForm('a.png'))
            assertError(reply, 500)
            assertText(reply, 500, 'Failed to save file')
            assert.ok(!reply.text.includes(folder), 'the folder is told')
          }
          assertStatus(await send(app, { path: '/health' }), 200)
          await rm(folder)
          await mkdir(folder)
          urlOf(await upload(caller, imageForm('a.png')))
        })
      }),
  },
  {
    title: 'an upload is stored in UPLOAD_DIR under its name and survives a restart',
    run: (launcher) =>
      inFolder(launcher, async ({ folder, boot }) => {
        const image = imageOf('a.png', 5000)
        const path = await withApp(boot(), async (app) => {
          const { app: caller } = await register(app)
          return urlOf(await upload(caller, imageForm('a.png', image)))
        })
        assert.deepEqual(await filesOf(folder), [basename(path)])
        assert.ok(image.equals(await readFile(join(folder, basename(path)))), 'another file')
        await withApp(boot(), async (app) => {
          assert.ok(image.equals((await send(app, { path })).bytes), 'not what was sent')
        })
      }),
  },
  {
    title: 'a rejected upload leaves no file',
    run: (launcher) =>
      inFolder(launcher, async ({ folder, boot }) => {
        await withApp(boot(), async (app) => {
          const { app: caller } = await register(app)
          const { headers, body } = imageForm('a.png', imageOf('a.png', 100_000))
          const other = { field: 'other', file: 'a.png', content: 'x' }
          const large = imageForm('a.png', imageOf('a.png', 5 * 1024 * 1024 + 1))
          const refused = [
            upload(caller, { headers, body: body.subarray(0, 90_000) }),
            upload(caller, imageForm('a.svg')),
            upload(caller, formOf(other)),
            upload(caller, large).catch(() => undefined),
            upload(app, { headers, body }),
            upload({ ...app, headers: bearer('x') }, { headers, body }),
          ]
          for (const reply of await Promise.all(refused)) {
            if (reply !== undefined) assertError(reply, 400, 401, 413)
          }
          assert.ok(await isEmpty(folder), `left: ${await filesOf(folder)}`)
        })
      }),
  },
  {
    title: 'an upload aborted by the client leaves no file',
    run: (launcher) =>
      inFolder(launcher, async ({ folder, boot }) => {
        await withApp(boot(), async (app) => {
          const connection = await openUpload(app, folder)
          connection.destroy()
          assert.ok(await isEmpty(folder), `left: ${await filesOf(folder)}`)
        })
      }),
  },
  {
    title: 'an upload cut off by a kill leaves no file after the next start',
    run: (launcher) =>
      inFolder(launcher, async ({ folder, boot }) => {
        const app = await boot()
        await openUpload(app, folder)
        await app.kill()
        await withApp(boot(), async () => {
          assert.ok(await isEmpty(folder), `left: ${await filesOf(folder)}`)
        })
      }),
  },
  {
    title: 'an upload cut off by a stop leaves no file',
    run: (launcher) =>
      inFolder(launcher, async ({ folder, boot }) => {
        await withApp(boot(), (app) => openUpload(app, folder))
        assert.deepEqual(await filesOf(folder), [])
      }),
  },
  {
    title: 'no file name writes and no path reads outside UPLOAD_DIR',
    run: (launcher) =>
      inFolder(launcher, async ({ parent, folder, boot }) => {
        await writeFile(join(parent, 'outside.png'), 'the secret 7149')
        await withApp(boot(), async (app) => {
          const { app: caller } = await register(app)
          for (const file of ['../climbed.png', '..\\\\climbed.png', '%2e%2e%2fclimbed.png']) {
            urlOf(await upload(caller, imageForm(file)))
          }
          await writeFile(join(folder, '.hidden.png'), 'the secret 7149')
          const names = [
            '../outside.png',
            '..%2foutside.png',
            '%2e%2e%2foutside.png',
            '.hidden.png',
          ]
          for (const name of [...names, '..%5coutside.png', '..%252foutside.png']) {
            const reply = await send(app, { path: `/uploads/${name}` })
            assertError(reply, 400, 404)
            assert.doesNotMatch(reply.text, /7149/)
          }
        })
        assert.deepEqual((await readdir(parent)).sort(), ['outside.png', 'uploads'])
        assert.equal((await filesOf(folder)).length, 4)
      }),
  },
]

/** Sends the first half of an image. Waits a moment, so that the application begins to store the image. */
async function openUpload(app: AppUnderTest, folder: string): Promise<RawConnection> {
  const { token } = await register(app)
  const { headers, body } = imageForm('a.png', imageOf('a.png', 400_000))
  const lines = { Host: 'x', ...bearer(token), ...headers, 'Content-Length': String(body.length) }
  const connection = await openRaw(app)
  const head = headerLines({ ...app, headers: lines })
  connection.write(`POST ${uploadsPath} HTTP/1.1\r\n${head}\r\n`)
  connection.write(body.subarray(0, 200_000).toString('latin1'))
  await eventually(async () => (await filesOf(folder)).length > 0, 1000)
  return connection
}

interface Place {
  readonly parent: string
  readonly folder: string
  readonly boot: () => ReturnType<Launcher['boot']>
}

/** Runs the application with a new upload folder and a new database. */
async function inFolder(launcher: Launcher, use: (place: Place) => Promise<void>): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'conformance-uploads-'))
  const folder = join(parent, 'uploads')
  const DATABASE_URL = await launcher.freshDatabase()
  const settings = { UPLOAD_DIR: folder, DATABASE_URL, JWT_SECRET: 'x'.repeat(40) }
  try {
    await use({ parent, folder, boot: () => launcher.boot(settings) })
  } finally {
    await rm(parent, { recursive: true, force: true })
  }
}

/** Waits until the folder is empty, because the application removes files after its response. */
function isEmpty(folder: string): Promise<boolean> {
  return eventually(async () => (await filesOf(folder)).length === 0, 3000)
}

function filesOf(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []) // the first upload creates the folder
}
