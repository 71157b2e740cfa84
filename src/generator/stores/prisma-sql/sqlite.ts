import { replaySqlite } from '../../migrate/own-sqlite.ts'
import type { Store } from '../store.ts'
import { familyOf, prismaVersion } from './prisma.ts'

const family = familyOf({ replay: replaySqlite })

export const sqlite: Store = {
  ...family,
  kind: 'sqlite',
  title: 'SQLite, in one file',
  writesAreSerial: true,
  templates: {
    project: [
      'stores/prisma-sql/migrations',
      'stores/prisma-sql/sqlite-file',
      'stores/prisma-sql/common',
      'stores/prisma-sql/sqlite',
    ],
    auth: ['stores/prisma-sql/auth'],
    feature: ['stores/prisma-sql/feature'],
  },
  dependencies: {
    '@photostructure/sqlite': '1.2.1',
    '@prisma/client': prismaVersion,
    '@prisma/driver-adapter-utils': prismaVersion,
  },
  // The package has binaries for every platform: its script would only look for them.
  blockedScripts: [...family.blockedScripts, '@photostructure/sqlite'],
  databaseUrl: {
    pattern: String.raw`/^file:(?:\/\/(?=\/))?(?!:memory:|\/\/)[^%?#]+$/`,
    message: 'must be file: and a path, without %, ? and #',
    default: 'file:./data/app.db',
    example: 'file:./data/app.db',
    documented: '`file:./data/app.db`',
    hint: 'a missing file is created',
  },
  compose: {
    databaseUrl: 'file:/app/data/app.db',
    keepsFiles: true,
    services: '',
    volumes: [],
  },
  envExample: '# DATABASE_URL=file:./data/app.db',
  serverCommand: '',
  readme:
    'The store is a file of the app, so there is no server to run. Each test suite uses a new file.',
}
