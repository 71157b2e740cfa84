import type { BootedApp } from '../../support/apps/boot.ts'
import { eventually } from '../../support/apps/eventually.ts'
import { originOf } from './http.ts'
import { assertExit, type Launcher, type ProcessCheck, withApp } from './process.ts'
import { headerLines, isListening, openRaw } from './raw.ts'
import { find, freshBody, type Resource } from './resource.ts'

/** Checks of the graceful stop. */
export function stoppingChecks(resource: Resource): readonly ProcessCheck[] {
  const { path } = resource
  return [
    {
      title:
        'after SIGTERM an open request completes, its write is kept, and the process exits with 0',
      run: (launcher) => assertFinishes(launcher, resource, 1),
    },
    {
      // npm and a supervisor that signals the process group send one signal each.
      title: 'a second SIGTERM aborts no request',
      run: (launcher) => assertFinishes(launcher, resource, 2),
    },
    {
      title: 'after SIGTERM busy keep-alive connections end with an answer that closes them',
      run: ({ boot }) =>
        withApp(boot(), async (app) => {
          const clients = await Promise.all(Array.from({ length: 16 }, () => openClient(app)))
          const closed = clients.map((askUntilClosed) => askUntilClosed())
          app.terminate()
          await Promise.all(closed)
          await assertExit(app)
        }),
    },
    {
      title: 'an idle keep-alive connection does not delay the exit',
      run: ({ boot }) =>
        withApp(boot(), async (app) => {
          const connection = await openRaw(app)
          connection.write(head('GET', '/health'))
          await connection.until(/"timestamp"/)
          app.terminate()
          await assertExit(app)
          connection.destroy()
        }),
    },
    {
      title: 'a silent connection and an endless request delay the exit by ten seconds at most',
      run: ({ boot }) =>
        withApp(boot(), async (app) => {
          const silent = await openRaw(app)
          const endless = await openRaw(app)
          const headers = `${headerLines(app)}Expect: 100-continue\r\n`
          endless.write(head('POST', path, '{"never": "sent"}', headers))
          await endless.until(/^HTTP\/1\.1 100 /)
          app.terminate()
          await assertExit(app)
          silent.destroy()
          endless.destroy()
        }),
    },
  ]
}

/** Sends `signals` signals during a create, which must be answered and stored. */
async function assertFinishes(
  { boot, freshDatabase }: Launcher,
  resource: Resource,
  signals: number,
): Promise<void> {
  const DATABASE_URL = await freshDatabase()
  const made = await withApp(boot({ DATABASE_URL }), async (app) => {
    const body = JSON.stringify(freshBody(resource))
    const connection = await openRaw(app)
    const headers = `${headerLines(app)}Expect: 100-continue\r\n`
    connection.write(head('POST', resource.path, body, headers))
    await connection.until(/^HTTP\/1\.1 100 /)
    connection.write(body.slice(0, 10))
    app.terminate()
    await eventually(async () => !(await isListening(originOf(app))), 3000)
    for (let sent = 1; sent < signals; sent += 1) {
      app.terminate()
      // The delivery of a signal cannot be observed, so the check waits between signals.
      await eventually(connection.isClosed, 500)
    }
    connection.write(body.slice(10))
    const answer = await connection.until(/HTTP\/1\.1 201 [\s\S]*\r\n\r\n[\s\S]*\}/)
    await assertExit(app)
    connection.destroy()
    return /"id":\s*(\d+)/.exec(answer)?.[1]
  })
  await withApp(boot({ DATABASE_URL }), (app) => find(app, resource, Number(made)))
}

/**
 * Opens a connection and sends a first request. The returned function sends request after request until an answer has
 * `Connection: close`. It rejects if the connection ends without such an answer.
 */
async function openClient(app: BootedApp): Promise<() => Promise<void>> {
  const connection = await openRaw(app)
  let requests = 0
  const ask = () => {
    requests += 1
    connection.write(head('GET', '/health'))
    return connection.until(new RegExp(`(?:"timestamp"[^]*?){${requests}}`))
  }
  await ask()
  return async () => {
    while (!/^connection: close/im.test(await ask())) {}
    connection.destroy()
  }
}

function head(method: string, path: string, body = '', headers = ''): string {
  const about = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  const lines = `${method} ${path} HTTP/1.1\r\nHost: conformance\r\n${headers}`
  return `${lines}${body === '' ? '' : about}\r\n`
}
