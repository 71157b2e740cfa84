import type { Store } from '../store.ts'
import { prismaFamily, prismaVersion } from './prisma.ts'

const image = 'postgres:17-alpine'

export const postgres: Store = {
  ...prismaFamily,
  kind: 'postgres',
  title: 'PostgreSQL',
  deployStore: 'postgres',
  sortsNullLast: true,
  templates: {
    project: [
      'stores/prisma-sql/migrations',
      'stores/prisma-sql/common',
      'stores/prisma-sql/server',
      'stores/prisma-sql/postgres-migrations',
      'stores/prisma-sql/postgres',
    ],
    auth: ['stores/prisma-sql/auth'],
    feature: ['stores/prisma-sql/feature'],
  },
  dependencies: {
    '@prisma/adapter-pg': prismaVersion,
    '@prisma/client': prismaVersion,
    '@prisma/driver-adapter-utils': prismaVersion,
    pg: '^8.23.1',
  },
  devDependencies: { ...prismaFamily.devDependencies, '@types/pg': '^8.15.6' },
  databaseUrl: {
    pattern: '/^postgres(ql)?:\\/\\/./',
    message: 'must be a postgres:// URL',
    default: '',
    example: 'postgres://localhost/app',
    documented: 'required',
    hint: '`postgres://user:password@host:5432/database`, with `?schema=name` for a schema other than `public`, `?pgbouncer=true` behind a pooler in transaction mode',
  },
  compose: {
    databaseUrl: `postgres://app:\${POSTGRES_PASSWORD:?run npm run setup}@postgres:5432/app`,
    keepsFiles: false,
    services: `    depends_on:
      postgres:
        condition: service_healthy

  postgres:
    image: ${image}
    environment:
      POSTGRES_USER: app
      POSTGRES_PASSWORD: \${POSTGRES_PASSWORD:?run npm run setup}
      POSTGRES_DB: app
    ports:
      - "127.0.0.1:5432:5432"
    volumes:
      - postgres:/var/lib/postgresql/data
    healthcheck:
      # Over TCP: during the set-up of the image, the server answers only on a socket.
      test: ["CMD", "pg_isready", "-h", "127.0.0.1", "-U", "app", "-d", "app"]
      interval: 2s
      timeout: 2s
      retries: 30
`,
    volumes: ['postgres'],
  },
  ci: {
    testDatabaseUrl: 'postgres://postgres@localhost:5432/postgres',
    services: `      postgres:
        image: ${image}
        env:
          POSTGRES_HOST_AUTH_METHOD: trust
        ports: ["5432:5432"]
        options: --health-cmd "pg_isready -h 127.0.0.1 -U postgres" --health-interval 2s --health-retries 30`,
  },
  envExample: `# The database of compose.yaml. \`npm run setup\` makes a password of letters, digits, - and _.
POSTGRES_PASSWORD=
DATABASE_URL=postgres://app:$POSTGRES_PASSWORD@localhost:5432/app`,
  env: (password) =>
    `POSTGRES_PASSWORD=${password}\nDATABASE_URL=postgres://app:${password}@localhost:5432/app\n`,
  serverCommand: 'docker compose up -d postgres',
  readme: `The app needs a PostgreSQL server. \`docker compose up -d postgres\` runs one with the password in \`.env\`, which
\`npm run setup\` creates and git ignores. To use another server, set its URL in \`DATABASE_URL\`.
The app waits 30 seconds for a server that is still starting, and answers 503 while the server is unreachable.

The tests need no server. If \`TEST_DATABASE_URL\` is set, they also run on that server: each suite creates a schema and
drops it afterwards.`,
}
