import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { loadConfig } from '../../../daemon/config.ts'
import { createLogger } from '../../../daemon/logger.ts'
import { startDaemon } from '../../../daemon/start.ts'

/**
 * The daemon of `main.ts`, for kill tests. The kill file (the only argument) lists one failpoint
 * per line. At the first listed failpoint, the daemon removes the line and kills itself, or the
 * process whose pid follows the failpoint. Each reached failpoint is appended to
 * `<kill file>.passed`.
 */
const [killFile = ''] = process.argv.slice(2)

function reached(step: string): void {
  appendFileSync(`${killFile}.passed`, `${step}\n`)
  if (!existsSync(killFile)) return
  const [next = '', ...others] = readFileSync(killFile, 'utf8').split('\n')
  const [name, pid = process.pid] = next.split(' ')
  if (name !== step) return
  writeFileSync(killFile, others.join('\n'))
  process.kill(Number(pid), 'SIGKILL')
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
