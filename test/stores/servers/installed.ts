import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'

/** Returns the command that installs the server of a store kind. */
export function installCommand(kind: string): string {
  return `node test/stores/servers/install.mjs ${kind}`
}

/** The entries of `jars.json`: servers, and the parser that substitutes for SQL Server. */
type Fetched = keyof z.infer<typeof versions>

/** Returns the cache folder with the jars of a server, or undefined if `install.mjs` has not run. */
export function installedJars(kind: Fetched): string | undefined {
  const folder = fileURLToPath(
    new URL(`../../../.cache/stores/${kind}-${jarsVersion(kind)}`, import.meta.url),
  )
  return existsSync(folder) ? folder : undefined
}

/** Returns the version in `jars.json`. */
export function jarsVersion(kind: Fetched): string {
  const text = readFileSync(new URL('jars.json', import.meta.url), 'utf8')
  return versions.parse(JSON.parse(text))[kind].version
}

const versions = z.object({
  mongodb: z.object({ version: z.string() }),
  elasticsearch: z.object({ version: z.string() }),
  sqlserver: z.object({ version: z.string() }),
})

/** Returns whether a JDK 17 or later is installed, as these servers require. */
export function hasJava(): boolean {
  const { stdout, status } = spawnSync('javac', ['-version'], { encoding: 'utf8' })
  return status === 0 && Number(/javac (\d+)/.exec(stdout)?.[1]) >= 17
}

/** JVM options for a short start time and little memory, at the cost of peak speed. */
export const javaOptions = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']
