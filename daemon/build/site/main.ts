import { realpathSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { createSiteHandler } from './site-handler.ts'

// Serves a folder of static files: `serve.cjs <folder> [--spa]`. The build copies this program into releases.
const [given = '.', ...flags] = process.argv.slice(2)
try {
  const folder = realpathSync(given)
  if (!statSync(folder).isDirectory()) throw new Error(`${given} is not a folder`)
  const server = createServer(createSiteHandler({ folder, isSpa: flags.includes('--spa') }))
  const port = Number(process.env.PORT ?? 8080)
  server.listen(port, process.env.HOST ?? '127.0.0.1')
  process.once('SIGTERM', () => server.close())
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException
  const why =
    code === 'ENOENT'
      ? `there is no folder ${given}: check deploy.static in strata.json, and the output folder of the build`
      : message
  process.stderr.write(`${why}\n`)
  process.exitCode = 1
}
