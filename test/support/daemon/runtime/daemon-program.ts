/**
 * A daemon for kill tests. Argv: folder, app specs as JSON. Starts the apps, prints `ready` and the instances, and
 * stays.
 */
import { join } from 'node:path'
import { createLogs } from '../../../../daemon/logs/logs.ts'
import type { AppSpec } from '../../../../daemon/ports.ts'
import { createProcessRuntime } from '../../../../daemon/runtime/process/process-runtime.ts'
import { createOpenWalls } from '../../../../daemon/walls/open-walls.ts'
import { realClock } from './apps.ts'

const [folder = '', specs = '[]'] = process.argv.slice(2)
const runtime = createProcessRuntime({
  folder: join(folder, 'runtime'),
  clock: realClock,
  walls: createOpenWalls('this test needs no walls'),
  logs: createLogs({ folder: join(folder, 'logs'), clock: realClock }),
})
await runtime.list()
console.log('ready')
const apps = JSON.parse(specs) as readonly AppSpec[]
console.log(JSON.stringify(await Promise.all(apps.map((app) => runtime.start(app)))))
setInterval(() => {}, 1000)
