import type { Store } from '../store.ts'
import { documentFamily } from './document.ts'
import { elasticsearchLosses } from './elasticsearch-losses.ts'

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
    hint: '`https://user:password@host:9200/prefix`: the names of all indexes begin with the prefix',
  },
  compose: {
    databaseUrl: `http://elastic:\${ELASTIC_PASSWORD:?set it in .env}@elasticsearch:9200/app`,
    keepsFiles: false,
    services: `    depends_on:
      elasticsearch:
        condition: service_healthy

  elasticsearch:
    image: docker.elastic.co/elasticsearch/elasticsearch:8.19.21
    environment:
      discovery.type: single-node
      xpack.security.enabled: "true"
      # The password and the data go between containers of this machine alone.
      xpack.security.http.ssl.enabled: "false"
      ELASTIC_PASSWORD: \${ELASTIC_PASSWORD:?set it in .env}
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
  envExample: `# The password of the store that compose.yaml runs, of letters, digits, - and _; and its URL:
# http://elastic:<password>@localhost:9200/app
ELASTIC_PASSWORD=
DATABASE_URL=`,
  env: (password) =>
    `ELASTIC_PASSWORD=${password}\nDATABASE_URL=http://elastic:${password}@localhost:9200/app\n`,
  serverCommand: 'docker compose up -d elasticsearch',
  readme: `The app needs an Elasticsearch server, 8.x. \`docker compose up -d elasticsearch\` runs one with the password in \`.env\`,
which \`strata init\` wrote and git does not track; any other server does as well, with its URL in \`DATABASE_URL\`, and
serves several apps with a prefix each. Its user needs the privilege \`monitor\` on the cluster and \`all\` on the indexes
\`<prefix>-*\`; \`NODE_EXTRA_CA_CERTS\` names the authority of a certificate that is its own. The app waits half a minute
for a server that is still starting, and answers 503 while one is away.

The tests need no server. With \`TEST_DATABASE_URL\` set they run on that one too, each suite in indexes of its own that
are dropped afterwards.

An index takes new fields, but none of its fields changes its type: the app says so and does not start. Such an index is
copied: make \`app-posts-2\` with the mapping that you want, fill it with \`POST _reindex\`, and let the alias \`app-posts\`,
which is what the app knows, point to it.`,
}
