import { eventually } from '../../support/apps/eventually.ts'
import type { Recipe } from './own-server.ts'
import type { TestServer } from './test-server.ts'

const answerWithinMs = 30_000

/** Returns the server of a variable such as `TEST_MYSQL_URL`, or undefined if unset. Throws if it does not answer. */
export async function givenServer(
  variable: string,
  name: string,
  ask: Recipe['ask'],
): Promise<TestServer | undefined> {
  const url = process.env[variable]
  if (!url) return undefined
  let version: string | undefined
  await eventually(async () => {
    version = await ask(url, () => '')
    return version !== undefined
  }, answerWithinMs)
  if (version === undefined) throw new Error(`the server of ${variable} does not answer`)
  return { url, name, version, stop: async () => {}, kill: undefined, restart: undefined }
}
