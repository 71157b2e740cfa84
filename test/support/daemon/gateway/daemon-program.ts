import type { Route } from '../../../../daemon/ports.ts'
import { gatewayAt } from './started.ts'

/** A daemon for kill tests, with only a gateway. Argv: `<folder> <port> <routes as JSON>`. Prints `ready`. */
const [, , folder = '', port = '', routes = '[]'] = process.argv
const { gateway } = gatewayAt({ folder, port: Number(port) })
gateway.onAccess(() => {})
gateway.onWake(() => new Promise(() => {}))

gateway
  .start()
  .then(() => gateway.replace(JSON.parse(routes) as Route[]))
  .then(() => process.stdout.write('ready\n'))
