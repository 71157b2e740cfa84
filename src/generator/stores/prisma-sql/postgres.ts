import type { Store } from '../store.ts'
import { prismaFamily, prismaVersion } from './prisma.ts'

export const postgres: Store = {
  ...prismaFamily,
  kind: 'postgres',
  title: 'PostgreSQL',
  templates: {
    project: ['stores/prisma-sql/common', 'stores/prisma-sql/server', 'stores/prisma-sql/postgres'],
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
    hint: '`postgres://user:password@host:5432/database`, with `?schema=name` for a schema other than `public`, `?pgbouncer=true` behind a pooler of transactions',
  },
  compose: {
    databaseUrl: `postgres://app:\${POSTGRES_PASSWORD:?set it in .env}@postgres:5432/app`,
    keepsFiles: false,
    services: `    depends_on:
      postgres:
        condition: service_healthy

  postgres:
    image: postgres:17-alpine
    environment:
      POSTGRES_USER: app
      POSTGRES_PASSWORD: \${POSTGRES_PASSWORD:?set it in .env}
      POSTGRES_DB: app
    ports:
      - "127.0.0.1:5432:5432"
    volumes:
      - postgres:/var/lib/postgresql/data
    healthcheck:
      # Over TCP: while the image sets the database up, its server answers on a socket alone.
      test: ["CMD", "pg_isready", "-h", "127.0.0.1", "-U", "app", "-d", "app"]
      interval: 2s
      timeout: 2s
      retries: 30
`,
    volumes: ['postgres'],
  },
  envExample: `# The password of the database that compose.yaml runs, of letters, digits, - and _; and its URL:
# postgres://app:<password>@localhost:5432/app
POSTGRES_PASSWORD=
DATABASE_URL=`,
  env: (password) =>
    `POSTGRES_PASSWORD=${password}\nDATABASE_URL=postgres://app:${password}@localhost:5432/app\n`,
  serverCommand: 'docker compose up -d postgres',
  readme: `The app needs a PostgreSQL server. \`docker compose up -d postgres\` runs one with the password in \`.env\`, which
\`strata init\` wrote and git does not track; any other server does as well, with its URL in \`DATABASE_URL\`.
The app waits half a minute for a server that is still starting, and answers 503 while one is away.

The tests need no server. With \`TEST_DATABASE_URL\` set they run on that one too, each suite in a schema of its own
that is dropped afterwards.`,
}
