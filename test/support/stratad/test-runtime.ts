import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { openOwnership } from '../../../daemon/engine/ownership.ts'
import { type RunningEngine, runningEngine } from '../daemon/docker/test-engine.ts'

let runtime = readTestRuntime(process.env.TEST_RUNTIME)
let engine = runtime === 'docker' ? sharedEngine() : undefined

/** Returns the runtime of daemons whose test names none: `TEST_RUNTIME`, default `process`. */
export function testRuntime(): 'process' | 'docker' {
  return runtime
}

/** Gives a test file that names the docker runtime its engine. */
export function useEngine(own: RunningEngine): void {
  runtime = 'docker'
  engine = own
}

/** Returns the settings of the runtime. */
export function runtimeSettings(): Readonly<Record<string, string>> {
  return engine?.env ?? {}
}

/** Returns the engine of the docker runtime. */
export function testEngine(): RunningEngine {
  if (engine === undefined) throw new Error('the tests run on the process runtime')
  return engine
}

/** Removes the containers and networks of a data folder; none without an engine. */
export function removeContainersOf(dataDir: string): void {
  const filter = filterOf(dataDir)
  if (engine === undefined || filter === undefined) return
  const ids = lines(engine.docker('ps', '--all', '--quiet', '--filter', filter))
  if (ids.length > 0) engine.docker('rm', '--force', '--volumes', ...ids)
  const networks = lines(engine.docker('network', 'ls', '--quiet', '--filter', filter))
  if (networks.length > 0) engine.docker('network', 'rm', ...networks)
}

/** Kills the running containers of a data folder; none without an engine. */
export function killContainersOf(dataDir: string): void {
  const filter = filterOf(dataDir)
  if (engine === undefined || filter === undefined) return
  const ids = lines(engine.docker('ps', '--quiet', '--filter', filter))
  if (ids.length > 0) engine.docker('kill', ...ids)
}

/** Returns the instance names of the running containers of a data folder, without those of single commands. */
export function runningContainersOf(dataDir: string): string[] {
  const filter = filterOf(dataDir)
  if (engine === undefined || filter === undefined) return []
  return lines(engine.docker('ps', '--format', '{{.Names}}', '--filter', filter))
    .filter((name) => /^strata-[0-9a-f]{8}-\d/.test(name))
    .map((name) => name.replace(/^strata-[0-9a-f]{8}-/, 'strata-'))
}

/** Returns the engine that `shared-engine.ts` started. */
function sharedEngine(): RunningEngine {
  const { TEST_ENGINE_HOST: host, TEST_ENGINE_ADDRESS: address } = process.env
  if (host && address) return runningEngine(host, address)
  throw new Error('TEST_RUNTIME=docker without an engine: the setup of Vitest starts it')
}

/** Returns the label filter of a data folder's objects; undefined before its daemon has made a key. */
function filterOf(dataDir: string): string | undefined {
  const folder = join(dataDir, 'runtime')
  try {
    readFileSync(join(folder, 'engine.key'))
    return `label=${openOwnership(folder, realpathSync(dataDir)).filter}`
  } catch {
    return undefined
  }
}

function lines(text: string): string[] {
  return text.split('\n').filter(Boolean)
}

function readTestRuntime(value = 'process'): 'process' | 'docker' {
  if (value === 'process' || value === 'docker') return value
  throw new Error(`invalid TEST_RUNTIME "${value}": expected process or docker`)
}
