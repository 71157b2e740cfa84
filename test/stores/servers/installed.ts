import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'

/** The command that installs what is needed for a kind of store. */
export function installCommand(kind: string): string {
  return `node test/stores/servers/install.mjs ${kind}`
}

/** What `jars.json` has: servers, and a parser for the one that can't be had. */
type Fetched = keyof z.infer<typeof versions>

/** The folder in the cache where `install.mjs` has put a server's jars, or undefined. */
export function installedJars(kind: Fetched): string | undefined {
  const folder = fileURLToPath(
    new URL(`../../../.cache/stores/${kind}-${jarsVersion(kind)}`, import.meta.url),
  )
  return existsSync(folder) ? folder : undefined
}

/** The version of `jars.json`. */
export function jarsVersion(kind: Fetched): string {
  const text = readFileSync(new URL('jars.json', import.meta.url), 'utf8')
  return versions.parse(JSON.parse(text))[kind].version
}

const versions = z.object({
  mongodb: z.object({ version: z.string() }),
  elasticsearch: z.object({ version: z.string() }),
  sqlserver: z.object({ version: z.string() }),
})

/** Whether the machine has a JDK that can run these servers: they want Java 17. */
export function hasJava(): boolean {
  const { stdout, status } = spawnSync('javac', ['-version'], { encoding: 'utf8' })
  return status === 0 && Number(/javac (\d+)/.exec(stdout)?.[1]) >= 17
}

/** Options of a small server that starts soon, rather than one that is fast in an hour. */
export const javaOptions = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']
