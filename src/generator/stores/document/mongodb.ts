import type { Store } from '../store.ts'
import { documentFamily } from './document.ts'

const image = 'mongo:8.0'

export const mongodb: Store = {
  ...documentFamily,
  kind: 'mongodb',
  title: 'MongoDB',
  deployStore: 'mongodb',
  templates: {
    project: [
      'stores/document/common',
      'stores/document/no-foreign-keys',
      'stores/document/mongodb',
    ],
    auth: ['stores/document/auth'],
    feature: ['stores/document/feature'],
  },
  dependencies: { mongodb: '^6.22.0' },
  databaseUrl: {
    pattern: String.raw`/^mongodb(\+srv)?:\/\/([^/@]*@)?[^/@:][^/@]*\/[^/?]+/`,
    message: 'must be a mongodb:// URL with a database',
    default: '',
    example: 'mongodb://localhost/app',
    documented: 'required',
    hint: '`mongodb://user:password@host:27017/database`; `?authSource=admin` for a user of the database `admin`',
  },
  compose: {
    databaseUrl: `mongodb://app:\${MONGODB_PASSWORD:?run npm run setup}@mongodb:27017/app?authSource=admin`,
    keepsFiles: false,
    services: `    depends_on:
      mongodb:
        condition: service_healthy

  mongodb:
    image: ${image}
    environment:
      MONGO_INITDB_ROOT_USERNAME: app
      MONGO_INITDB_ROOT_PASSWORD: \${MONGODB_PASSWORD:?run npm run setup}
    ports:
      - "127.0.0.1:27017:27017"
    volumes:
      - mongodb:/data/db
    healthcheck:
      # By host name: during the set-up of the image, the server answers only on 127.0.0.1.
      test: ["CMD-SHELL", "mongosh --quiet --host $$(hostname) --eval 'db.adminCommand({ ping: 1 })'"]
      interval: 2s
      timeout: 5s
      retries: 60
`,
    volumes: ['mongodb'],
  },
  ci: {
    testDatabaseUrl: 'mongodb://localhost:27017/app',
    services: `      mongodb:
        image: ${image}
        ports: ["27017:27017"]
        options: >-
          --health-cmd "mongosh --quiet --eval 'db.adminCommand({ ping: 1 })'"
          --health-interval 2s --health-retries 60`,
  },
  envExample: `# The database of compose.yaml. \`npm run setup\` makes a password of letters, digits, - and _.
MONGODB_PASSWORD=
DATABASE_URL=mongodb://app:$MONGODB_PASSWORD@localhost:27017/app?authSource=admin`,
  env: (password) =>
    `MONGODB_PASSWORD=${password}\nDATABASE_URL=mongodb://app:${password}@localhost:27017/app?authSource=admin\n`,
  serverCommand: 'docker compose up -d mongodb',
  readme: `The app needs a MongoDB server, 5.0 or later, standalone or a replica set. \`docker compose up -d mongodb\` runs one with
the password in \`.env\`, which \`npm run setup\` creates and git ignores. To use another server, set its URL in
\`DATABASE_URL\`. The app waits 30 seconds for a server that is still starting, and answers 503 while the server is unreachable.

The tests need no server. If \`TEST_DATABASE_URL\` is set, they also run on that server: each suite creates a database and
drops it afterwards.`,
}
