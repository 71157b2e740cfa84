/** One edit by hand: replaces the first match of `place` by `text`. `mark` is a text that the edit leaves in the project. */
export interface HandEdit {
  readonly path: string
  readonly place: RegExp
  readonly text: string
  readonly mark: string
}

export interface Entity {
  readonly pascal: string
  readonly camel: string
  readonly plural: string
  readonly singular: string
  /** A required text field, which gets a rule of its own. */
  readonly text: string
}

export const entities: readonly Entity[] = [
  { pascal: 'Author', camel: 'author', plural: 'authors', singular: 'author', text: 'name' },
  {
    pascal: 'Category',
    camel: 'category',
    plural: 'categories',
    singular: 'category',
    text: 'label',
  },
  { pascal: 'Book', camel: 'book', plural: 'books', singular: 'book', text: 'title' },
  { pascal: 'Chapter', camel: 'chapter', plural: 'chapters', singular: 'chapter', text: 'heading' },
  { pascal: 'Tag', camel: 'tag', plural: 'tags', singular: 'tag', text: 'word' },
  { pascal: 'Review', camel: 'review', plural: 'reviews', singular: 'review', text: 'verdict' },
]

/** Twelve edits of the files of one feature. */
export function featureEdits({ pascal, camel, singular, text }: Entity): readonly HandEdit[] {
  const domain = `src/domain/${camel}.ts`
  const service = `src/use-cases/${camel}.service.ts`
  const handler = `src/handlers/${camel}.handler.ts`
  const schema = `src/handlers/${camel}.schema.ts`
  const adapter = `src/repositories/${camel}.repository.prisma.ts`
  return [
    {
      path: domain,
      place: /export interface \w+ \{\n/,
      text: `/** The ${singular} of our house. */\n$&`,
      mark: `The ${singular} of our house.`,
    },
    {
      path: domain,
      place: /$/,
      text: `\nexport function label${pascal}({ id }: Pick<${pascal}, 'id'>): string {\n  return \`${camel} \${id}\`\n}\n`,
      mark: `label${pascal}(`,
    },
    {
      path: service,
      place: / {4}async find\(/,
      text: `    /** Tells whether a ${singular} exists. */\n    async has${pascal}(id: number): Promise<boolean> {\n      return (await repository.find(id)) !== undefined\n    },\n\n$&`,
      mark: `has${pascal}(id: number)`,
    },
    {
      path: service,
      place: /throw new AppError\('not-found', '[^']*'\)/,
      text: `throw new AppError('not-found', 'no such ${singular} in this library')`,
      mark: `no such ${singular} in this library`,
    },
    {
      path: service,
      place: /(import [^\n]*\n)(import [^\n]*\n)/,
      text: `$2$1// The order of these imports is ours (${singular}).\n`,
      mark: `The order of these imports is ours (${singular}).`,
    },
    {
      path: handler,
      place: /\n {2}return router\n/,
      text: `\n  router.get('/own/${camel}-ping', (_req, res) => {\n    res.json({ pong: '${camel}' })\n  })\n$&`,
      mark: `/own/${camel}-ping`,
    },
    {
      path: handler,
      place: / {2}const router = Router\(\)\n/,
      text: `$&  router.use((_req, res, next) => {\n    res.set('X-Own', '${camel}')\n    next()\n  })\n`,
      mark: `'X-Own', '${camel}'`,
    },
    {
      path: schema,
      place: new RegExp(`  ${text}: text\\(([^)]*)\\)`),
      text: `  ${text}: text($1).refine((value) => value !== 'forbidden ${camel}')`,
      mark: `forbidden ${camel}`,
    },
    {
      path: adapter,
      place: /\btable\b/g,
      text: `${camel}Rows`,
      mark: `${camel}Rows.`,
    },
    {
      path: `src/use-cases/${camel}.service.test.ts`,
      place: /$/,
      text: `\ntest('our own claim about a ${singular}', () => {\n  expect('${camel}').toHaveLength(${camel.length})\n})\n`,
      mark: `our own claim about a ${singular}`,
    },
    {
      path: `test/${camel}.http.test.ts`,
      place: /( {2}afterAll\(\(\) => app\.stop\(\)\)\n)/,
      text: `$1\n  test('our own route of a ${singular} answers', async () => {\n    expect(app.baseUrl).toContain('http')\n  })\n`,
      mark: `our own route of a ${singular} answers`,
    },
    {
      path: `client/${camel}.api.ts`,
      place: /$/,
      text: `\nexport const ${camel}Icon = '${camel}.svg'\n`,
      mark: `${camel}Icon`,
    },
  ]
}

/** Edits of the files that all features share. */
export const projectEdits: readonly HandEdit[] = [
  {
    path: 'package.json',
    place: /"scripts": \{\n/,
    text: '$&    "own:report": "node scripts/report.mjs",\n',
    mark: 'own:report',
  },
  {
    path: 'package.json',
    place: /("test": "[^"]*)"/,
    text: '$1 --passWithNoTests"',
    mark: '--passWithNoTests',
  },
  {
    path: 'package.json',
    place: /"dependencies": \{\n/,
    text: '$&    "@types/own-nothing": "npm:@types/cors@*",\n',
    mark: 'own-nothing',
  },
  {
    path: 'package.json',
    place: /"version": "[^"]*"/,
    text: '"version": "7.3.1",\n  "description": "own description"',
    mark: 'own description',
  },
  {
    path: 'src/config.ts',
    place: / {2}DOCS: flag,\n/,
    text: "$&  OWN_BANNER: z.string().default('hello'),\n",
    mark: 'OWN_BANNER',
  },
  {
    path: 'src/config.ts',
    place: /\.default\(8080\)/,
    text: '.default(9090)',
    mark: '.default(9090)',
  },
  {
    path: 'src/app.ts',
    place: / {2}app\.disable\('etag'\)\n/,
    text: "$&  app.use((_req, res, next) => {\n    res.set('X-House', 'own-library')\n    next()\n  })\n",
    mark: 'own-library',
  },
  {
    path: 'src/app.ts',
    place: / {2}serve\('\/openapi\.json'/,
    text: "  serve('/own-status', (_req, res) => {\n    res.json({ own: true })\n  })\n$&",
    mark: '/own-status',
  },
  {
    path: 'src/main.ts',
    place: /const stopDelays = \{ graceMs: [\d_]+/,
    text: 'const stopDelays = { graceMs: 12_345',
    mark: '12_345',
  },
  {
    path: 'src/main.ts',
    place: / {2}logger\.info\(\{ host/,
    text: "  logger.info('own line at start')\n$&",
    mark: 'own line at start',
  },
  {
    path: 'src/routes.ts',
    place: /\n {2}return api\n/,
    text: "\n  api.get('/own-total', (_req, res) => {\n    res.json({ total: 1 })\n  })$&",
    mark: '/own-total',
  },
  {
    path: 'src/container.ts',
    place: /export type Container =/,
    text: '/** Our own clock of tests. */\nexport const ownClock = () => new Date(0)\n\n$&',
    mark: 'ownClock',
  },
  {
    path: 'src/http/errors.ts',
    place: /^/,
    text: '// Our errors speak our language.\n',
    mark: 'Our errors speak our language.',
  },
  {
    path: 'src/http/security-headers.ts',
    place: /$/,
    text: "\nexport const ownHeaders = ['X-House']\n",
    mark: 'ownHeaders',
  },
  {
    path: 'src/http/openapi.ts',
    place: /'The app failed'/,
    text: "'The library failed'",
    mark: 'The library failed',
  },
  {
    path: 'src/http/paging.ts',
    place: /$/,
    text: '\nexport const ownPageSize = 25\n',
    mark: 'ownPageSize',
  },
  {
    path: 'src/infra/logger.ts',
    place: /$/,
    text: "\nexport const ownLogName = 'library'\n",
    mark: 'ownLogName',
  },
  {
    path: 'README.md',
    place: /\n## /,
    text: '\nOur own introduction stands here.\n$&',
    mark: 'Our own introduction stands here.',
  },
  {
    path: 'README.md',
    place: /\n## Deployment\n/,
    text: '\n## Our office hours\n\nNine to five.\n$&',
    mark: 'Our office hours',
  },
  { path: 'README.md', place: /$/, text: '\n## Our licence\n\nAll ours.\n', mark: 'Our licence' },
  { path: 'Dockerfile', place: /^/, text: '# Our own image.\n', mark: 'Our own image.' },
  { path: '.env.example', place: /$/, text: '\n# OWN_BANNER=hello\n', mark: 'OWN_BANNER=hello' },
  { path: '.gitignore', place: /$/, text: '\nown-output/\n', mark: 'own-output/' },
  {
    path: '.github/workflows/ci.yml',
    place: /$/,
    text: '\n# Our own step follows one day.\n',
    mark: 'Our own step follows one day.',
  },
  {
    path: 'prisma/schema.prisma',
    place: /$/,
    text: '\nmodel OwnNote {\n  id   Int    @id\n  text String\n\n  @@map("own_notes")\n}\n',
    mark: 'model OwnNote',
  },
  {
    path: 'src/http/own.ts',
    place: /^$/,
    text: "export const ownModule = 'own module'\n",
    mark: 'own module',
  },
  {
    path: 'scripts/report.mjs',
    place: /^$/,
    text: "process.stdout.write('own report')\n",
    mark: 'own report',
  },
  {
    path: 'prisma/migrations/0900_own/migration.sql',
    place: /^$/,
    text: 'ALTER TABLE "books" ADD COLUMN "own_shelf" TEXT;\nCREATE INDEX "own_idx" ON "books" ("own_shelf");\nCREATE TABLE "own_notes" ("id" INTEGER NOT NULL PRIMARY KEY, "text" TEXT NOT NULL);\n',
    mark: 'own_shelf',
  },
]

/** The changes that the project goes through, as command lines. */
export const changes: readonly string[] = [
  'feature Shelf code:string:unique floor:int:default=0',
  'feature Book --add pages:uint:optional',
  'feature Book --add shelf_id:uint:fk:optional',
  'feature Author --add born:date:optional,email:email:optional',
  'feature Tag --add color:enum(red|green):default=red',
  'feature Book --add tags:many(Tag)',
  'rename Book.pages page_count',
  'rename Category Genre',
  'feature Review --add stars:uint:max=5:default=3 --index stars,verdict',
  'feature Book --unique title,author_id --allow-destructive',
  'feature Author --drop born --allow-destructive',
  'feature Chapter --add position:uint:default=0',
  'feature Tag word:string:max=40:unique color:enum(red|green|blue):default=red --allow-destructive',
  'feature Author --search name',
  'feature Review --add spoiler:bool:default=false',
  'feature Chapter --add summary:text:optional',
  'feature Book --drop shelf_id --allow-destructive',
  'remove Shelf --allow-destructive',
  'feature Genre --plural genera',
  'upgrade',
]
