import { DeleteTableCommand, DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb'
import { servers } from '../servers/servers.ts'
import type { Skipped } from '../servers/test-server.ts'
import type { Kind } from './kind.ts'
import { serverKind } from './server-kind.ts'

/** DynamoDB Local accepts any key. Each access key has separate tables. */
const credentials = { accessKeyId: 'strata', secretAccessKey: 'anySecretWillDo' }

const region = 'us-east-1'

// The SDK warns on standard error that later versions require a later Node.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true'

/** Starts DynamoDB Local. An application has one table. */
export async function startDynamodb(): Promise<Kind | Skipped> {
  const server = await servers.dynamodb()
  if ('skipped' in server) return server
  const { url } = server
  const remove = (TableName: string) =>
    withClient(url, async (client) => {
      await client.send(new DeleteTableCommand({ TableName }))
    })
  return {
    ...serverKind(server, {
      // The application creates the table.
      create: async () => {},
      remove,
      urlOf: (name) => urlOf(url, name),
    }),
    contents: () =>
      withClient(url, async (client) => {
        const names: string[] = []
        for await (const { TableNames } of paginateListTables({ client }, {})) {
          names.push(...(TableNames ?? []))
        }
        return names.sort()
      }),
    dropTable: (databaseUrl) => remove(new URL(databaseUrl).pathname.slice(1)),
  }
}

function urlOf(server: string, table: string): string {
  const { accessKeyId, secretAccessKey } = credentials
  return `dynamodb+${server.replace('://', `://${accessKeyId}:${secretAccessKey}@`)}/${table}?region=${region}`
}

async function withClient<Result>(
  endpoint: string,
  use: (client: DynamoDBClient) => Promise<Result>,
): Promise<Result> {
  const client = new DynamoDBClient({ endpoint, region, credentials })
  try {
    return await use(client)
  } finally {
    client.destroy()
  }
}
