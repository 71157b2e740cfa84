import type { Store } from '../store.ts'
import { documentFamily } from './document.ts'

const image = 'amazon/dynamodb-local:3.3.1'

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
    // Pinned: later versions require a later Node (src/infra/client.ts).
    '@aws-sdk/client-dynamodb': '~3.1162.0',
    '@aws-sdk/lib-dynamodb': '~3.1162.0',
    'async-mutex': '^0.5.0',
  },
  databaseUrl: {
    pattern: String.raw`/^dynamodb(\+https?)?:\/\/[^/]+\/[\w.-]{3,255}(\?|$)/`,
    message: 'must be a dynamodb:// URL with a region and a table',
    default: '',
    example: 'dynamodb+http://local:local@localhost:8000/app',
    documented: 'required',
    hint: '`dynamodb://region/table`; behind an endpoint, `dynamodb+http://host:8000/table` or `dynamodb+https:`, with `?region=` for a region other than us-east-1',
  },
  compose: {
    databaseUrl: 'dynamodb+http://local:local@dynamodb:8000/app',
    keepsFiles: false,
    services: `    depends_on:
      dynamodb:
        condition: service_healthy

  dynamodb:
    image: ${image}
    # Root owns the volume.
    user: root
    command: ["-jar", "DynamoDBLocal.jar", "-sharedDb", "-dbPath", "/home/dynamodblocal/data"]
    ports:
      - "127.0.0.1:8000:8000"
    volumes:
      - dynamodb:/home/dynamodblocal/data
    healthcheck:
      # A request without a signature answers 400, which is enough.
      test: ["CMD-SHELL", "curl -s -o /dev/null http://127.0.0.1:8000"]
      interval: 2s
      timeout: 5s
      retries: 60
`,
    volumes: ['dynamodb'],
  },
  ci: {
    testDatabaseUrl: 'dynamodb+http://local:local@localhost:8000/app',
    services: `      dynamodb:
        image: ${image}
        ports: ["8000:8000"]
        options: --health-cmd "curl -s -o /dev/null http://127.0.0.1:8000" --health-interval 2s --health-retries 60`,
  },
  envExample: `# The server in compose.yaml. A table of AWS is dynamodb://region/table.
DATABASE_URL=dynamodb+http://local:local@localhost:8000/app`,
  env: () => 'DATABASE_URL=dynamodb+http://local:local@localhost:8000/app\n',
  serverCommand: 'docker compose up -d dynamodb',
  growing: `${documentFamily.growing}
Stop the previous version first: new filters and searches would not find records that it writes after the update.`,
  readme: `The app keeps all data in one DynamoDB table, \`dynamodb://eu-central-1/app\`. It creates a missing table at its start, with
on-demand billing. The AWS SDK finds the credentials: \`AWS_ACCESS_KEY_ID\` and \`AWS_SECRET_ACCESS_KEY\`, a profile or a
role. Credentials in a URL, as in \`dynamodb+http://key:secret@host:8000/app\`, take precedence. They need the permissions
\`DescribeTable\`, \`GetItem\`, \`BatchGetItem\`, \`Query\`, \`PutItem\`, \`UpdateItem\` and \`DeleteItem\` on the table, and
\`CreateTable\` if the table is missing.

\`docker compose up -d dynamodb\` runs DynamoDB Local. Its URL is in \`.env\`, which \`npm run setup\` creates and git
ignores. The app waits 30 seconds for a server that is still starting, and answers 503 while the server is unreachable.

Every read is consistent: a list includes a record as soon as it is written. A list reads one small entry for each record
that it counts, and a search reads the searched texts of all records. A record has at most 400 KB.

The tests need no server. If \`TEST_DATABASE_URL\` is set, they also run on that server: each suite creates a table and
deletes it afterwards.`,
}
