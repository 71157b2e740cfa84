import { AnswerError, NoAnswerError } from '../../../../daemon/client/errors.ts'
import type { Context } from '../contexts.ts'
import { isLocalUrl } from '../daemon-url.ts'
import { loginAgain } from '../report.ts'
import { connect } from '../session.ts'
import { type Check, fail, ok, warn } from './check.ts'

/** The daemon of a context: whether it answers, takes the token, is of this version, and lacks nothing. */
export async function checkDaemon(
  name: string,
  context: Context,
  ownVersion: string,
): Promise<Check[]> {
  const { client, url } = connect(context)
  const options = { timeoutMs: 10_000 }
  let version: string
  try {
    version = (await client.call('readHealth', {}, options)).body.version
  } catch (error) {
    if (!(error instanceof NoAnswerError || error instanceof AnswerError)) throw error
    const next = isLocalUrl(url)
      ? 'strata daemon start'
      : 'start stratad there, or check the address'
    return [fail('daemon', `${url} (context ${name}): ${error.message}`, next)]
  }
  const checks = [
    ok('daemon', `${url} (context ${name}) answers`),
    sameVersion(version, ownVersion),
  ]
  try {
    const { body } = await client.call('listProjects', {}, options)
    checks.push(ok('token', `it is valid: ${body.length} project${body.length === 1 ? '' : 's'}`))
  } catch (error) {
    if (!(error instanceof NoAnswerError || error instanceof AnswerError)) throw error
    const [next = 'strata login'] = loginAgain({ name, url })
    return [...checks, fail('token', error.message, next)]
  }
  return [...checks, ...(await daemonsOwn(client))]
}

function sameVersion(version: string, own: string): Check {
  if (version === own) return ok('versions', `client and daemon are ${own}`)
  return warn(
    'versions',
    `the client is ${own}, the daemon ${version}`,
    'npm install --global strata   brings both to the same version; then restart the daemon',
  )
}

/** What the daemon says of itself, where the token may ask for it. */
async function daemonsOwn(client: ReturnType<typeof connect>['client']): Promise<Check[]> {
  const status = await client.call('readInfraStatus', {}, { timeoutMs: 15_000 }).then(
    ({ body }) => body,
    () => undefined,
  )
  if (!status) return []
  const missing = status.checks.filter(({ ok }) => !ok)
  if (missing.length === 0) return [ok('daemon host', 'nothing is missing')]
  return missing.map(({ name, detail }) =>
    warn(`daemon: ${name}`, detail, 'strata infra says what to do'),
  )
}
