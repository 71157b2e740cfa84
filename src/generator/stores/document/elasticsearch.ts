import type { Store } from '../store.ts'
import { documentFamily } from './document.ts'
import { elasticsearchLosses } from './elasticsearch-losses.ts'

const image = 'docker.elastic.co/elasticsearch/elasticsearch:8.19.21'

export const elasticsearch: Store = {
  ...documentFamily,
  kind: 'elasticsearch',
  title: 'Elasticsearch',
  templates: {
    project: [
      'stores/document/common',
      'stores/document/no-foreign-keys',
      'stores/document/elasticsearch',
    ],
    auth: ['stores/document/auth'],
    feature: ['stores/document/feature'],
  },
  losses: elasticsearchLosses,
  dependencies: { '@elastic/elasticsearch': '^8.19.2' },
  databaseUrl: {
    pattern: String.raw`/^https?:\/\/[^/]+\/[a-z\d][a-z\d_-]{0,99}$/`,
    message: 'must be an http:// or https:// URL with a prefix of index names, in lower case',
    default: '',
    example: 'http://localhost:9200/app',
    documented: 'required',
    hint: '`https://user:password@host:9200/prefix`; the names of all indexes begin with the prefix',
  },
  compose: {
    databaseUrl: `http://elastic:\${ELASTIC_PASSWORD:?run npm run setup}@elasticsearch:9200/app`,
    keepsFiles: false,
    services: `    depends_on:
      elasticsearch:
        condition: service_healthy

  elasticsearch:
    image: ${image}
    environment:
      discovery.type: single-node
      xpack.security.enabled: "true"
      # Passwords and data travel only between containers on this machine.
      xpack.security.http.ssl.enabled: "false"
      ELASTIC_PASSWORD: \${ELASTIC_PASSWORD:?run npm run setup}
      ES_JAVA_OPTS: -Xms512m -Xmx512m
    ports:
      - "127.0.0.1:9200:9200"
    volumes:
      - elasticsearch:/usr/share/elasticsearch/data
    healthcheck:
      test: ["CMD-SHELL", "curl -fsu elastic:$$ELASTIC_PASSWORD 'localhost:9200/_cluster/health?wait_for_status=yellow&timeout=2s'"]
      interval: 2s
      timeout: 5s
      retries: 60
`,
    volumes: ['elasticsearch'],
  },
  ci: {
    testDatabaseUrl: 'http://localhost:9200/app',
    services: `      elasticsearch:
        image: ${image}
        env:
          discovery.type: single-node
          xpack.security.enabled: "false"
          ES_JAVA_OPTS: -Xms512m -Xmx512m
        ports: ["9200:9200"]
        options: --health-cmd "curl -fs localhost:9200/_cluster/health" --health-interval 2s --health-retries 60`,
  },
  envExample: `# The store of compose.yaml. \`npm run setup\` makes a password of letters, digits, - and _.
ELASTIC_PASSWORD=
DATABASE_URL=http://elastic:$ELASTIC_PASSWORD@localhost:9200/app`,
  env: (password) =>
    `ELASTIC_PASSWORD=${password}\nDATABASE_URL=http://elastic:${password}@localhost:9200/app\n`,
  serverCommand: 'docker compose up -d elasticsearch',
  readme: `The app needs an Elasticsearch server, 8.x. \`docker compose up -d elasticsearch\` runs one with the password in \`.env\`,
which \`npm run setup\` creates and git ignores. To use another server, set its URL in \`DATABASE_URL\`. Apps can share a
server if each has its own prefix. The user needs the privilege \`monitor\` on the cluster and \`all\` on the indexes
\`<prefix>-*\`. If the server has a certificate of a private authority, name it in \`NODE_EXTRA_CA_CERTS\`. The app waits 30
seconds for a server that is still starting, and answers 503 while the server is unreachable.

The tests need no server. If \`TEST_DATABASE_URL\` is set, they also run on that server: each suite creates indexes and
deletes them afterwards.

An index accepts new fields, but a field cannot change its type: the app then refuses to start and names the field. Copy
such an index: create \`app-posts-2\` with the new mapping, fill it with \`POST _reindex\`, and move the alias \`app-posts\`,
which the app uses, to the new index.`,
}
