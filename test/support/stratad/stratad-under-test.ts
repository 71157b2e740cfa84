import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { loadConfig } from '../../../daemon/config.ts'
import { createLogger } from '../../../daemon/logger.ts'
import { startDaemon } from '../../../daemon/start.ts'

/**
 * The daemon as `main.ts` starts it, and it dies where it is told to: the file that its one argument names has a step
 * a line, and at the first of them, which it takes out, it kills itself. Steps that it passes are in a file beside that one.
 */
const [armed = ''] = process.argv.slice(2)

function reached(step: string): void {
  appendFileSync(`${armed}.passed`, `${step}\n`)
  if (!existsSync(armed)) return
  const [next, ...others] = readFileSync(armed, 'utf8').split('\n')
  if (next !== step) return
  writeFileSync(armed, others.join('\n'))
  process.kill(process.pid, 'SIGKILL')
}

async function run(): Promise<void> {
  const config = loadConfig(process.env)
  const logger = await createLogger(config.logFormat)
  const daemon = await startDaemon(config, {
    logger,
    version: 'test',
    env: process.env,
    failpoint: reached,
  })
  process.on('SIGTERM', () => daemon.stop().then(() => process.exit(0)))
}

run().catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})
