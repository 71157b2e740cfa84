import { missingEngine, startTestEngine } from '../daemon/docker/test-engine.ts'

/** Starts the engine of a test run with `TEST_RUNTIME=docker`, unless `TEST_ENGINE_HOST` names one that runs. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_RUNTIME !== 'docker' || process.env.TEST_ENGINE_HOST) return undefined
  const reason = missingEngine()
  if (reason !== undefined) throw new Error(`TEST_RUNTIME=docker: ${reason}`)
  const engine = await startTestEngine()
  // The workers inherit these variables.
  process.env.TEST_ENGINE_HOST = engine.host
  process.env.TEST_ENGINE_ADDRESS = engine.hostAddress
  return engine.remove
}
