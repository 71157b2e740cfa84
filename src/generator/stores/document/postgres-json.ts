import { postgres } from '../prisma-sql/postgres.ts'
import type { Store } from '../store.ts'
import { documentFamily } from './document.ts'
import { postgresJsonLosses } from './postgres-json-losses.ts'

const { databaseUrl, compose, ci, envExample, env, serverCommand } = postgres

export const postgresJson: Store = {
  ...documentFamily,
  kind: 'postgres-json',
  title: 'PostgreSQL, as JSON documents',
  deployStore: 'postgres',
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
  ...(ci && { ci }),
  ...(env && { env }),
  serverCommand,
  losses: postgresJsonLosses,
  readme: `The app needs a PostgreSQL server, 12 or later. \`docker compose up -d postgres\` runs one with the password in \`.env\`,
which \`npm run setup\` creates and git ignores. To use another server, set its URL in \`DATABASE_URL\`.
The app waits 30 seconds for a server that is still starting, and answers 503 while the server is unreachable.

Each feature has a table with an \`id\`, a \`document\` of the type jsonb, and a column with a foreign key for each reference.
A search reads all texts. With the extension \`pg_trgm\`, an index makes it faster:
\`CREATE INDEX ON posts USING gin ((document->>'title_search') gin_trgm_ops)\`. The app keeps indexes that you create.

The tests need no server. If \`TEST_DATABASE_URL\` is set, they also run on that server: each suite creates a schema and
drops it afterwards.`,
}
