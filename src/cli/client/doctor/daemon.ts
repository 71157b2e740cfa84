import { ConnectionError, ResponseError } from '../../../../daemon/client/errors.ts'
import type { Context } from '../connection/contexts.ts'
import { isLocalUrl } from '../connection/daemon-url.ts'
import { connect } from '../connection/session.ts'
import { loginHints } from '../run/report-error.ts'
import { type Check, fail, ok, warn } from './check.ts'

/** Checks the daemon of a context: reachability, version, token, and the checks of its host. */
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
    if (!(error instanceof ConnectionError || error instanceof ResponseError)) throw error
    const next = isLocalUrl(url)
      ? 'strata daemon start'
      : 'start stratad on that machine, or check the address'
    return [fail('daemon', `${url} (context ${name}): ${error.message}`, next)]
  }
  const checks = [
    ok('daemon', `${url} (context ${name}) answers`),
    checkVersions(version, ownVersion),
  ]
  try {
    const { body } = await client.call('listProjects', {}, options)
    checks.push(ok('token', `valid for ${body.length} project${body.length === 1 ? '' : 's'}`))
  } catch (error) {
    if (!(error instanceof ConnectionError || error instanceof ResponseError)) throw error
    const [next = 'strata login'] = loginHints({ name, url })
    return [...checks, fail('token', error.message, next)]
  }
  return [...checks, ...(await checkHost(client))]
}

function checkVersions(version: string, own: string): Check {
  if (version === own) return ok('versions', `client and daemon are ${own}`)
  return warn(
    'versions',
    `the client is ${own}, the daemon ${version}`,
    'npm install --global strata on both machines, then restart the daemon',
  )
}

/** Returns the checks of the daemon's host, or none if the token may not read them. */
async function checkHost(client: ReturnType<typeof connect>['client']): Promise<Check[]> {
  const status = await client.call('readInfraStatus', {}, { timeoutMs: 15_000 }).then(
    ({ body }) => body,
    () => undefined,
  )
  if (!status) return []
  const next = 'strata infra   lists the steps'
  const missing = status.checks.filter(({ ok }) => !ok)
  // A daemon of an earlier version has no walls.
  const walls = (status.walls ?? []).map(({ name, stands, detail }) =>
    stands ? ok(`wall: ${name}`, detail) : warn(`wall: ${name}`, detail, next),
  )
  if (missing.length === 0) return [ok('daemon host', 'nothing is missing'), ...walls]
  return [...missing.map(({ name, detail }) => warn(`daemon: ${name}`, detail, next)), ...walls]
}
