import type { Store } from '../store.ts'
import { prismaFamily, prismaVersion } from './prisma.ts'

const image = 'mysql:8.4'

export const mysql: Store = {
  ...prismaFamily,
  kind: 'mysql',
  title: 'MySQL or MariaDB',
  deployStore: 'mysql',
  templates: {
    project: [
      'stores/prisma-sql/migrations',
      'stores/prisma-sql/common',
      'stores/prisma-sql/server',
      'stores/prisma-sql/mysql',
    ],
    auth: ['stores/prisma-sql/auth'],
    feature: ['stores/prisma-sql/feature'],
  },
  dependencies: {
    '@prisma/adapter-mariadb': prismaVersion,
    '@prisma/client': prismaVersion,
    '@prisma/driver-adapter-utils': prismaVersion,
    mariadb: '3.4.5',
  },
  databaseUrl: {
    pattern: String.raw`/^(mysql|mariadb):\/\/[^/]+\/[^/?]+/`,
    message: 'must be a mysql:// URL with a database',
    default: '',
    example: 'mysql://localhost/app',
    documented: 'required',
    hint: '`mysql://user:password@host:3306/database`, with `?ssl=true` for TLS',
  },
  compose: {
    databaseUrl: `mysql://app:\${MYSQL_PASSWORD:?run npm run setup}@mysql:3306/app`,
    keepsFiles: false,
    services: `    depends_on:
      mysql:
        condition: service_healthy

  mysql:
    image: ${image}
    environment:
      MYSQL_USER: app
      MYSQL_PASSWORD: \${MYSQL_PASSWORD:?run npm run setup}
      MYSQL_RANDOM_ROOT_PASSWORD: "yes"
      MYSQL_DATABASE: app
    ports:
      - "127.0.0.1:3306:3306"
    volumes:
      - mysql:/var/lib/mysql
    healthcheck:
      # Over TCP: during the set-up of the image, the server answers only on a socket.
      test: ["CMD-SHELL", "mysqladmin ping -h 127.0.0.1 -u app -p$$MYSQL_PASSWORD --silent"]
      interval: 2s
      timeout: 2s
      retries: 60
`,
    volumes: ['mysql'],
  },
  ci: {
    testDatabaseUrl: 'mysql://root@127.0.0.1:3306/app',
    services: `      mysql:
        image: ${image}
        env:
          MYSQL_ALLOW_EMPTY_PASSWORD: "yes"
        ports: ["3306:3306"]
        options: --health-cmd "mysqladmin ping -h 127.0.0.1 --silent" --health-interval 2s --health-retries 60`,
  },
  envExample: `# The database of compose.yaml. \`npm run setup\` makes a password of letters, digits, - and _.
MYSQL_PASSWORD=
DATABASE_URL=mysql://app:$MYSQL_PASSWORD@localhost:3306/app`,
  env: (password) =>
    `MYSQL_PASSWORD=${password}\nDATABASE_URL=mysql://app:${password}@localhost:3306/app\n`,
  serverCommand: 'docker compose up -d mysql',
  readme: `The app needs a MySQL (8.0.17 or later) or MariaDB (10.6 or later) server. \`docker compose up -d mysql\` runs one with
the password in \`.env\`, which \`npm run setup\` creates and git ignores. To use another server, set its URL in
\`DATABASE_URL\`. The app waits 30 seconds for a server that is still starting, and answers 503 while the server is unreachable.

MySQL commits every change of a table by itself. A migration that fails half way stays marked as started. The app then
refuses to start until you finish the migration by hand, or mark it with \`prisma migrate resolve\`.

The tests need no server. If \`TEST_DATABASE_URL\` is set, they also run on that server: each suite creates a database and
drops it afterwards.`,
}
