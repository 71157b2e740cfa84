import { request } from 'node:http'
import { visit } from '../stratad/call.ts'
import { plainApp } from '../stratad/plain-app.ts'
import type { Host, HostedProject } from './host.ts'
import { type Attack, hostileApp } from './hostile-app.ts'

export interface Victim extends HostedProject {
  readonly environmentId: number
  readonly pid: number
  readonly uid: number
  readonly port: number
  /** Folder with the canary file. */
  readonly data: string
}

const victimServer = `
const fs = require('node:fs')
const { secret: own, data } = { secret: process.env.VICTIM_SECRET, data: process.env.STRATA_DATA }
const canaries = JSON.parse(fs.readFileSync('canaries.json', 'utf8'))
fs.writeFileSync(data + '/canary.txt', canaries.data)
for (const folder of ['/tmp', '/dev/shm', '/var/tmp']) {
  try { fs.writeFileSync(folder + '/victim-file', canaries.data) } catch {}
}
console.log('canary ' + canaries.log)
require('node:http').createServer((request, response) => {
  response.end(JSON.stringify({ name: 'victim', pid: process.pid, uid: process.getuid(), port: Number(process.env.PORT), data, hasSecret: own !== undefined, url: request.url, host: request.headers.host }))
}).listen(process.env.PORT)
process.on('SIGTERM', () => process.exit(0))
`

/** Deploys an app that has a canary in its release, data, log, temporary files and environment. */
export async function deployVictim(host: Host, name = 'victim'): Promise<Victim> {
  const { data, release, log, secret } = host.canaries
  const project = await host.createProject(name, {
    ...plainApp,
    'server.js': victimServer,
    'canaries.json': JSON.stringify({ data, release, log }),
  })
  const path = `/projects/${project.id}/secrets`
  await host.call('POST', path, { name: 'VICTIM_SECRET', value: secret, scope: 'project' })
  const { status, text, body } = await project.deploy()
  if (status !== 201) throw new Error(`the victim's deploy answered ${status} ${text}`)
  const about = (await visit(host.daemon, project.host())).body
  const { pid, uid, port } = about
  return { ...project, environmentId: body.id, pid, uid, port, data: about.data }
}

export interface Hostile extends HostedProject {
  readonly environmentId: number
  /** Runs a function inside the app. It sees its two arguments and the globals of Node, no imports. */
  attack<Input, Result>(attack: Attack<Input, Result>, input: Input): Promise<Result>
  /** Returns the user of the app's processes. */
  uid(): Promise<number>
}

/** Deploys an app that runs attacks. `files` are added to its repository. */
export async function deployHostile(
  host: Host,
  name = 'hostile',
  files: Readonly<Record<string, string>> = {},
): Promise<Hostile> {
  const project = await host.createProject(name, { ...hostileApp, ...files })
  const { status, text, body } = await project.deploy()
  if (status !== 201) throw new Error(`the hostile deploy answered ${status} ${text}`)
  const hostile = hostileOf(host, project, body.id)
  if ((await hostile.uid()) === 0)
    throw new Error('the hostile app is root: its attacks would harm this machine')
  return hostile
}

/** Returns the attacks of a deployed project. */
export function hostileOf(host: Host, project: HostedProject, environmentId: number): Hostile {
  const attack: Hostile['attack'] = async (code, input) => {
    const body = JSON.stringify({ source: code.toString(), input })
    const text = await post(host.daemon.gatewayPort, project.host(), body)
    const { value, error } = JSON.parse(text)
    if (error !== undefined) throw new Error(`the attack failed by itself: ${error}`)
    return value
  }
  return {
    ...project,
    environmentId,
    attack,
    uid: () => attack(({ process }) => process.getuid?.() ?? -1, null),
  }
}

function post(port: number, host: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/json' }
    const options = { host: '127.0.0.1', port, path: '/attack', method: 'POST', headers }
    const made = request({ ...options, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve(text))
      response.on('error', reject)
    })
    made.on('error', reject)
    made.end(body)
  })
}
