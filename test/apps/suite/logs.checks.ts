import assert from 'node:assert/strict'
import { eventually } from '../../support/apps/eventually.ts'
import { assertStatus, objectOf } from './answers.ts'
import { send } from './http.ts'
import { type ProcessCheck, withApp } from './process.ts'
import { headerLines, openRaw } from './raw.ts'
import { post, type Resource } from './resource.ts'

/** Checks of the log: JSON, one line for each request, no credentials. */
export function logChecks(resource: Resource): readonly ProcessCheck[] {
  const { path } = resource
  return [
    {
      title: 'every log line is JSON, and each request has one line with its own id',
      run: ({ boot }) =>
        withApp(boot(), async (app) => {
          const ids = [900_000_011, 900_000_012, 900_000_013]
          for (const id of ids) assertStatus(await send(app, { path: `${path}/${id}` }), 404)
          await eventually(() => app.output().includes(String(ids.at(-1))), 5000)
          await app.stop()
          const lines = linesOf(app.stdout()).map((line) => parsed(line))
          const ofRequests = ids.map((id) => {
            const about = lines.filter((line) => JSON.stringify(line).includes(String(id)))
            assert.equal(about.length, 1, `lines about ${path}/${id}: ${JSON.stringify(about)}`)
            return about[0]
          })
          const requestIds = ofRequests.map((line) => requestIdOf(line))
          assert.equal(
            new Set(requestIds).size,
            ids.length,
            `request ids: ${requestIds.join(', ')}`,
          )
          for (const line of ofRequests) assert.match(JSON.stringify(line), /\b404\b/)
        }),
    },
    {
      title: 'the log line of a request has the id that the request sent',
      run: ({ boot }) =>
        withApp(boot(), async (app) => {
          const headers = { 'X-Request-Id': 'conformance-7144' }
          await send(app, { path: `${path}/900000014`, headers })
          const { stdout } = await app.stop()
          const lines = linesOf(stdout).filter((line) => line.includes('900000014'))
          assert.equal(lines.length, 1, `lines about ${path}/900000014: ${lines}`)
          assert.match(lines.join(), /conformance-7144/)
        }),
    },
    {
      title: 'the log has no success for a request that the client aborted',
      run: ({ boot }) =>
        withApp(boot(), async (app) => {
          const connection = await openRaw(app)
          const about = `Content-Type: application/json\r\nContent-Length: 99\r\nExpect: 100-continue\r\n`
          const head = `POST ${path}?aborted=900000015 HTTP/1.1\r\nHost: x\r\n${headerLines(app)}${about}`
          connection.write(`${head}\r\n`)
          await connection.until(/^HTTP\/1\.1 100 /)
          connection.destroy()
          await eventually(() => app.output().includes('900000015'), 5000)
          const { stdout } = await app.stop()
          const lines = linesOf(stdout).filter((line) => line.includes('900000015'))
          assert.equal(lines.length, 1, `lines about the aborted request: ${lines}`)
          assert.match(lines.join(), /"status":499|"aborted":true/)
        }),
    },
    {
      title: 'the log contains no credential',
      run: async ({ boot, freshDatabase }) => {
        const DATABASE_URL = await freshDatabase()
        await withApp(boot({ DATABASE_URL }), async (app) => {
          const secrets = ['bearer-credential-7141', 'cookie-credential-7142']
          const headers = {
            Authorization: `Bearer ${secrets[0]}`,
            Cookie: `session=${secrets[1]}`,
          }
          await send(app, { path: `${path}/900000021`, headers })
          await send(app, { method: 'POST', path, headers, body: '{' })
          await post(app, resource, {})
          await eventually(() => app.output().includes('900000021'), 5000)
          const { stdout, stderr } = await app.stop()
          const password = /^\w+:\/\/[^/@:]*:([^@]+)@/.exec(DATABASE_URL)?.[1]
          for (const secret of [...secrets, ...(password === undefined ? [] : [password])]) {
            assert.ok(!`${stdout}${stderr}`.includes(secret), `the log tells ${secret}`)
          }
        })
      },
    },
  ]
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}

function parsed(line: string) {
  try {
    return objectOf(JSON.parse(line), line)
  } catch {
    return assert.fail(`a line of the log is no JSON object: ${line}`)
  }
}

/** Returns the request id of a log line: `reqId`, `request_id`, or `id` in an object `req`. */
function requestIdOf(line: unknown): string {
  const text = JSON.stringify(line)
  const found = /"(?:req(?:uest)?[_-]?id|x-request-id|correlation_?id|trace_?id)":"?([^",}]+)/i
  const nested = /"req(?:uest)?":\{[^{}]*"id":"?([^",}]+)/
  const id = found.exec(text)?.[1] ?? nested.exec(text)?.[1]
  return id ?? assert.fail(`no request id in ${text}`)
}
