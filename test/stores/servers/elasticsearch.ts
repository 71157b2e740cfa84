import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { givenServer } from './given-server.ts'
import { hasJava, installCommand, installedJars, javaOptions } from './installed.ts'
import { runServer } from './own-server.ts'
import type { Skipped, TestServer } from './test-server.ts'

const program = fileURLToPath(new URL('elasticsearch/OneNode.java', import.meta.url))

/**
 * Starts the Elasticsearch server with its HTTP module, the parts published on Maven. Missing are Painless, reindex
 * (`_delete_by_query`), the types `wildcard` and `unsigned_long`, and `GET /`.
 */
export async function startElasticsearch(): Promise<TestServer | Skipped> {
  const given = await givenServer('TEST_ELASTICSEARCH_URL', 'Elasticsearch', askVersion)
  if (given) return given
  const home = installedJars('elasticsearch')
  if (home === undefined || !hasJava()) {
    return { skipped: `Elasticsearch is not installed: ${installCommand('elasticsearch')}` }
  }
  return runServer({
    name: 'Elasticsearch',
    command: (folder, port) => ({
      program: 'java',
      args: [
        ...javaOptions,
        ...['-Xmx512m', '--module-path', join(home, 'lib')],
        // Without a class path Java searches the whole working folder.
        ...['--add-modules=ALL-MODULE-PATH', '-cp', join(home, 'modules')],
        ...[program, home, folder, String(port)],
      ],
    }),
    url: (port) => `http://127.0.0.1:${port}`,
    ask: askVersion,
    stopSignal: 'SIGTERM',
  })
}

/** Returns the version once the cluster state is ready. The server accepts requests before. */
async function askVersion(url: string): Promise<string | undefined> {
  try {
    const { ok } = await fetch(new URL('_cluster/health?wait_for_status=yellow&timeout=1s', url))
    if (!ok) return undefined
    const response = await fetch(new URL('_nodes/_local?filter_path=nodes.*.version', url))
    return Object.values(nodes.parse(await response.json()).nodes)[0]?.version
  } catch {
    return undefined // the server is not listening yet, or still starting
  }
}

const nodes = z.object({ nodes: z.record(z.string(), z.object({ version: z.string() })) })
