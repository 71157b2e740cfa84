#!/usr/bin/env node
// Stands in for systemctl on a machine without systemd: starts and stops the commands of the unit as systemd does with
// Type=exec and KillMode=process. Knows the directives of the unit that strata writes, and refuses all others.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const unitPath = '/etc/systemd/system/stratad.service'
const pidFile = '/run/systemd/stratad.pid'
const enabledFile = '/run/systemd/stratad.enabled'
const loadedFile = '/run/systemd/stratad.loaded'
const journal = '/run/systemd/journal.log'

const args = process.argv.slice(2).filter((arg) => arg !== '--quiet' && arg !== '--now')
const isNow = process.argv.includes('--now')
const [verb] = args

const verbs = {
  'daemon-reload': () => {
    if (existsSync(unitPath)) writeFileSync(loadedFile, readFileSync(unitPath))
    else rmSync(loadedFile, { force: true })
  },
  enable: () => writeFileSync(enabledFile, ''),
  async disable() {
    rmSync(enabledFile, { force: true })
    if (isNow) await stop()
  },
  start,
  stop,
  async restart() {
    await stop()
    start()
  },
  'is-active': () => answer(pid() ? 'active' : 'inactive', pid() ? 0 : 3),
  'is-enabled': () =>
    answer(existsSync(enabledFile) ? 'enabled' : 'disabled', existsSync(enabledFile) ? 0 : 1),
  show: () => answer(String(pid() ?? 0), 0),
}
if (!Object.hasOwn(verbs, verb)) throw new Error(`unknown verb ${verb}`)
await verbs[verb]()

function start() {
  if (pid()) return
  const unit = parse(readFileSync(loadedFile, 'utf8'))
  const [command, ...rest] = unit.ExecStart[0].split(' ')
  const env = Object.fromEntries(
    unit.Environment.map((text) => {
      const at = text.indexOf('=')
      return [text.slice(0, at), text.slice(at + 1)]
    }),
  )
  const dropped = unit.CapabilityBoundingSet[0].slice(1).split(' ')
  const bounding = dropped.map((name) => `-${name.toLowerCase().replace('cap_', '')}`)
  mkdirSync('/run/systemd', { recursive: true })
  const log = openSync(journal, 'a')
  const child = spawn(
    'setpriv',
    ['--no-new-privs', `--bounding-set=${bounding.join(',')}`, command, ...rest],
    { cwd: unit.WorkingDirectory[0], env, detached: true, stdio: ['ignore', log, log] },
  )
  child.unref()
  writeFileSync(pidFile, String(child.pid))
}

/** KillMode=process: only the main process gets the signals. */
async function stop() {
  const main = pid()
  if (!main) return
  const { KillMode, TimeoutStopSec } = parse(readFileSync(loadedFile, 'utf8'))
  if (KillMode[0] !== 'process') throw new Error('KillMode must be process')
  process.kill(main, 'SIGTERM')
  for (const end = Date.now() + Number(TimeoutStopSec[0]) * 1000; pid(); await sleep(20)) {
    if (Date.now() > end) process.kill(main, 'SIGKILL')
  }
  rmSync(pidFile, { force: true })
}

function pid() {
  if (!existsSync(pidFile)) return undefined
  const found = Number(readFileSync(pidFile, 'utf8'))
  try {
    const stat = readFileSync(`/proc/${found}/stat`, 'utf8')
    return /\) [ZX] /.test(stat) ? undefined : found
  } catch {
    return undefined
  }
}

function parse(text) {
  const unit = {}
  for (const line of text.split('\n')) {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (name) unit[name] = [...(unit[name] ?? []), value]
  }
  return unit
}

function answer(text, code) {
  console.log(text)
  process.exitCode = code
}
