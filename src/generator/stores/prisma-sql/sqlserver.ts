import type { Store } from '../store.ts'
import { prismaFamily, prismaVersion } from './prisma.ts'
import { refuseCascadePaths } from './sqlserver-cascades.ts'

const image = 'mcr.microsoft.com/mssql/server:2022-latest'

export const sqlserver: Store = {
  ...prismaFamily,
  kind: 'sqlserver',
  title: 'SQL Server',
  templates: {
    project: [
      'stores/prisma-sql/migrations',
      'stores/prisma-sql/common',
      'stores/prisma-sql/sqlserver',
    ],
    auth: ['stores/prisma-sql/auth'],
    feature: ['stores/prisma-sql/feature'],
  },
  dependencies: {
    '@prisma/adapter-mssql': prismaVersion,
    '@prisma/client': prismaVersion,
    '@prisma/driver-adapter-utils': prismaVersion,
    mssql: '^12.7.14',
  },
  devDependencies: { ...prismaFamily.devDependencies, '@types/mssql': '^12.3.0' },
  databaseUrl: {
    pattern: String.raw`/^sqlserver:\/\/[^;@]+;(.*;)?\s*database\s*=\s*[^;\s]/i`,
    message: 'must be a sqlserver:// URL with a database',
    default: '',
    example: 'sqlserver://localhost;database=app',
    documented: 'required',
    hint: '`sqlserver://host:1433;database=app;user=name;password={…}`, with `;trustServerCertificate=true` for a self-signed certificate',
  },
  compose: {
    databaseUrl: `sqlserver://sqlserver:1433;database=app;user=sa;password=\${SQLSERVER_PASSWORD:?run npm run setup};trustServerCertificate=true`,
    keepsFiles: false,
    services: `    depends_on:
      sqlserver:
        condition: service_healthy

  sqlserver:
    image: ${image}
    environment:
      ACCEPT_EULA: "Y"
      MSSQL_SA_PASSWORD: \${SQLSERVER_PASSWORD:?run npm run setup}
    ports:
      - "127.0.0.1:1433:1433"
    volumes:
      - sqlserver:/var/opt/mssql
    healthcheck:
      # Creates the database, which the image does not do. Healthy if the database exists.
      test:
        - CMD-SHELL
        - >-
          /opt/mssql-tools18/bin/sqlcmd -C -b -l 2 -S localhost -U sa -P "$$MSSQL_SA_PASSWORD" -Q
          "IF DB_ID('app') IS NULL BEGIN CREATE DATABASE app; ALTER DATABASE app SET READ_COMMITTED_SNAPSHOT ON; END"
      interval: 2s
      timeout: 30s
      retries: 60
`,
    volumes: ['sqlserver'],
  },
  ci: {
    testDatabaseUrl: `sqlserver://localhost:1433;database=master;user=sa;password=Sq1-\${{ github.sha }};trustServerCertificate=true`,
    services: `      sqlserver:
        image: ${image}
        env:
          ACCEPT_EULA: "Y"
          MSSQL_SA_PASSWORD: Sq1-\${{ github.sha }}
        ports: ["1433:1433"]
        options: >-
          --health-cmd "/opt/mssql-tools18/bin/sqlcmd -C -b -S localhost -U sa -P $MSSQL_SA_PASSWORD -Q 'SELECT 1'"
          --health-interval 2s --health-retries 60`,
  },
  envExample: `# The database of compose.yaml. \`npm run setup\` makes a password of letters, digits, - and _.
SQLSERVER_PASSWORD=
DATABASE_URL=sqlserver://localhost:1433;database=app;user=sa;password=$SQLSERVER_PASSWORD;trustServerCertificate=true`,
  env: (random) => {
    // SQL Server requires upper case, lower case and digits.
    const password = `Sq1-${random}`
    return `SQLSERVER_PASSWORD=${password}\nDATABASE_URL=sqlserver://localhost:1433;database=app;user=sa;password=${password};trustServerCertificate=true\n`
  },
  serverCommand: 'docker compose up -d sqlserver',
  files(model) {
    refuseCascadePaths(model)
    return prismaFamily.files(model)
  },
  readme: `The app needs a SQL Server (2019 or later) or Azure SQL database. \`docker compose up -d sqlserver\` runs one with the
password in \`.env\`, which \`npm run setup\` creates and git ignores. To use another server, set its URL in
\`DATABASE_URL\`. The app waits 30 seconds for a server that is still starting, and answers 503 while the server is unreachable.

On another server, create the database yourself. The second statement lets reads continue during writes:
\`CREATE DATABASE app; ALTER DATABASE app SET READ_COMMITTED_SNAPSHOT ON\`. The app compares texts byte by byte, with any
collation of the database.

The tests need no server. If \`TEST_DATABASE_URL\` is set, they also run on that server: each suite creates a database and
drops it afterwards.`,
}
