import type { Store } from '../store.ts'
import { documentFamily } from './document.ts'

export const dynamodb: Store = {
  ...documentFamily,
  kind: 'dynamodb',
  title: 'DynamoDB',
  templates: {
    project: [
      'stores/document/common',
      'stores/document/no-foreign-keys',
      'stores/document/dynamodb',
    ],
    auth: ['stores/document/auth'],
    feature: ['stores/document/feature'],
  },
  dependencies: {
    // Later ones want a later Node (src/infra/client.ts).
    '@aws-sdk/client-dynamodb': '~3.1162.0',
    '@aws-sdk/lib-dynamodb': '~3.1162.0',
  },
  databaseUrl: {
    pattern: String.raw`/^dynamodb(\+https?)?:\/\/[^/]+\/[\w.-]{3,255}(\?|$)/`,
    message: 'must be a dynamodb:// URL with a region and a table',
    default: '',
    example: 'dynamodb+http://local:local@localhost:8000/app',
    documented: 'required',
    hint: '`dynamodb://region/table`; behind an endpoint, `dynamodb+http://host:8000/table` or `dynamodb+https:`, with `?region=` where that is not us-east-1',
  },
  compose: {
    databaseUrl: 'dynamodb+http://local:local@dynamodb:8000/app',
    keepsFiles: false,
    services: `    depends_on:
      dynamodb:
        condition: service_healthy

  dynamodb:
    image: amazon/dynamodb-local:3.3.1
    # The volume is root's.
    user: root
    command: ["-jar", "DynamoDBLocal.jar", "-sharedDb", "-dbPath", "/home/dynamodblocal/data"]
    ports:
      - "127.0.0.1:8000:8000"
    volumes:
      - dynamodb:/home/dynamodblocal/data
    healthcheck:
      # It answers a request without a signature with 400: it is there.
      test: ["CMD-SHELL", "curl -s -o /dev/null http://127.0.0.1:8000"]
      interval: 2s
      timeout: 5s
      retries: 60
`,
    volumes: ['dynamodb'],
  },
  envExample: `# The server that compose.yaml runs; a table of AWS is dynamodb://region/table.
DATABASE_URL=dynamodb+http://local:local@localhost:8000/app`,
  env: () => 'DATABASE_URL=dynamodb+http://local:local@localhost:8000/app\n',
  serverCommand: 'docker compose up -d dynamodb',
  growing: `${documentFamily.growing}
Stop the version before it first: what that writes meanwhile, the new filters and searches do not find.`,
  readme: `The app keeps everything in one DynamoDB table, \`dynamodb://eu-central-1/app\`, which it makes when it starts, paid by the
request. Credentials are found as the AWS SDK finds them: \`AWS_ACCESS_KEY_ID\` and \`AWS_SECRET_ACCESS_KEY\`, a profile, a
role; those of a URL \`dynamodb+http://key:secret@host:8000/app\` go before. They need \`DescribeTable\`, \`GetItem\`,
\`BatchGetItem\`, \`Query\`, \`PutItem\`, \`UpdateItem\` and \`DeleteItem\` on the table, and \`CreateTable\` where it is not there yet.

\`docker compose up -d dynamodb\` runs DynamoDB Local, which \`.env\` names; \`strata init\` wrote that, and git does not track
it. The app waits half a minute for a server that is still starting, and answers 503 while one is away.

Every read is consistent: a list shows what was written just before. A list reads one small entry of each record that it
counts, and a search the searched texts of all of them; a record has at most 400 KB.

The tests need no server. With \`TEST_DATABASE_URL\` set they run on that one too, each suite in a table of its own that is
deleted afterwards.`,
}
