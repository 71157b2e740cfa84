import { postgres } from '../prisma-sql/postgres.ts'
import type { Store } from '../store.ts'
import { documentFamily } from './document.ts'
import { postgresJsonLosses } from './postgres-json-losses.ts'

const { databaseUrl, compose, envExample, env, serverCommand } = postgres

export const postgresJson: Store = {
  ...documentFamily,
  kind: 'postgres-json',
  title: 'PostgreSQL, as JSON documents',
  templates: {
    project: ['stores/document/common', 'stores/document/postgres-json'],
    auth: ['stores/document/auth'],
    feature: ['stores/document/feature'],
  },
  dependencies: { pg: '^8.23.1' },
  devDependencies: { '@types/pg': '^8.15.6' },
  databaseUrl,
  compose,
  envExample,
  ...(env && { env }),
  serverCommand,
  losses: postgresJsonLosses,
  readme: `The app needs a PostgreSQL server, 12 or later. \`docker compose up -d postgres\` runs one with the password in \`.env\`,
which \`strata init\` wrote and git does not track; any other server does as well, with its URL in \`DATABASE_URL\`.
The app waits half a minute for a server that is still starting, and answers 503 while one is away.

Each feature is a table with an \`id\`, a \`document\` of jsonb, and a column with a foreign key for each reference. A search
reads all texts; with the extension \`pg_trgm\` an index of your own makes it fast:
\`CREATE INDEX ON posts USING gin ((document->>'title_search') gin_trgm_ops)\`. Indexes that the app did not make, it leaves.

The tests need no server. With \`TEST_DATABASE_URL\` set they run on that one too, each suite in a schema of its own
that is dropped afterwards.`,
}
