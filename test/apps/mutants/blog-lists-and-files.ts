import type { Edits } from './edits.ts'

const narrowed = 'published, tag, search and author_id filter the posts, alone and combined'
const range = 'a filter that is out of its range, or comes twice, is 400 and named'
const wholeSlug = 'a tag is known by its whole slug, and not by its name or a part of it'
const anyCase = 'search finds a substring of the title or the content, in any case'
const beyond = 'search knows letters beyond ASCII in any case'
const literal = 'search text is literal: no character of it has any power'
const kept = 'an image is kept under a name of its own, with its extension as it was sent'
const type = 'another extension is 400 "Invalid file type"'
const noFile = 'a form without a file in image is 400 "No file uploaded"'
const limit = 'a file of exactly 5 MiB is kept whole, and one byte more is 413'
const odd = 'odd forms are kept or refused, and never an error of ours'
const headers = 'a served file has its security headers: nosniff, and no framing'
const climbs = 'no path leads out of the folder of uploads, encoded or not, nor lists it'
const unsaved = 'a file that can not be saved is 500 "Failed to save file", and the process goes on'
const secret = 'a JWT_SECRET that is missing or shorter than 32 bytes is refused at the start'

/** Filters and search, uploads, and the process around them. */
export const blogListAndFileEdits: Edits = {
  'src/handlers/post.schema.ts': [
    ['published passed over', '  published: flag(),\n', '', narrowed],
    ['search passed over', '  search: phrase(),\n', '', narrowed],
    [
      'posts of one author not asked for',
      '  author_id: recordId(),\n  published',
      '  published',
      narrowed,
    ],
    [
      'a search of a hundred characters',
      'search: phrase(),',
      'search: z.string().overwrite((text) => text.slice(0, 100)).optional(),',
      'search finds the end of 100 kB, and takes a long text',
    ],
    ['a search trimmed', 'search: phrase(),', 'search: z.string().trim().optional(),', anyCase],
  ],

  'src/http/filters.ts': [
    [
      'published=false taken for true',
      "value === 'true')\n    .pipe",
      'value)\n    .transform(Boolean)\n    .pipe',
      narrowed,
    ],
    [
      'a flag of any text',
      ".refine((value) => value === 'true' || value === 'false', 'must be true or false')",
      '',
      range,
    ],
    [
      'a flag in any case',
      'singleValue()\n    .refine',
      'singleValue()\n    .toLowerCase()\n    .refine',
      range,
    ],
    ['an id that only begins with a number', '/^[1-9]\\d*$/', '/^[1-9]/', range],
    [
      'an id beyond every number is 500',
      '.pipe(unsigned({ min: 1 }))',
      '.pipe(z.any())',
      'a filter by an id beyond every record leaves nothing or is refused by name',
    ],
    [
      'an id past 32 bits cut to them',
      '.transform(Number)\n    .pipe(unsigned({ min: 1 }))',
      '.transform((id) => (Number(id) | 0) || 1)\n    .pipe(z.int())',
      'a filter by an id beyond every record leaves nothing or is refused by name',
    ],
    [
      'a search up to its NUL',
      'singleValue().pipe(text())',
      "singleValue().pipe(z.string()).overwrite((value) => value.split('\\0')[0])",
      'a search or a tag of odd text finds nothing or is refused by name',
    ],
  ],

  'src/repositories/post.repository.prisma.ts': [
    ['posts of every author', 'authorId: filter.authorId,\n    published', 'published', narrowed],
    [
      'drafts for nobody',
      'published: filter.published,',
      'published: filter.published || undefined,',
      narrowed,
    ],
    ['the posts that have that tag alone', '{ some: { slug', '{ every: { slug', narrowed],
    [
      'a filter or the other',
      '    tags: filter.tag === undefined',
      '    AND: filter.tag === undefined',
      narrowed,
    ],
    ['a search that a tag overrules', 'OR: text && [', 'OR: text && !filter.tag && [', narrowed],
    [
      'a tag by the beginning of its slug',
      '{ slug: filter.tag }',
      '{ slug: { startsWith: filter.tag } }',
      wholeSlug,
    ],
    [
      'a tag by its name',
      '{ slug: filter.tag }',
      '{ OR: [{ slug: filter.tag }, { name: filter.tag }] }',
      wholeSlug,
    ],
    [
      'the total of all posts',
      'table.count({ where }),\n',
      'table.count(),\n',
      'total counts what the filters leave, before pages are cut',
    ],
    [
      'an unknown tag is 404',
      'const where = matching(query)',
      'const where = matching(query)\n      if (query.tag) await assertFound("tag", 1, () => prisma.tag.count({ where: { slug: query.tag } }))',
      'an author or a tag that is not there leaves nothing',
    ],
    ['titles searched alone', ', { contentSearch: text }]', ']', anyCase],
    ['contents searched alone', '[{ titleSearch: text }, ', '[', anyCase],
    ['a text that both must have', 'OR: text &&', 'AND: text &&', anyCase],
    [
      'a title searched in its own case',
      'titleSearch: toSearch(data.title),\n            content',
      'titleSearch: data.title,\n            content',
      beyond,
    ],
    [
      'a title searched as it was made',
      'titleSearch: toSearch(data.title),\n        content',
      'content',
      'filters follow what is changed',
    ],
  ],

  'src/repositories/prisma.ts': [
    ['a search in its own case', 'contains: foldText(search)', 'contains: search', beyond],
    ['a search from the beginning', 'contains: foldText', 'startsWith: foldText', anyCase],
    [
      'the end of a long text not searched',
      "foldText(text ?? '')",
      "foldText(text ?? '').slice(0, 65_535)",
      'search finds the end of 100 kB, and takes a long text',
    ],
  ],

  'src/domain/fold-text.ts': [
    [
      'a search that knows ASCII alone',
      '.toLowerCase()',
      '.replace(/[A-Z]/g, (each) => each.toLowerCase())',
      beyond,
    ],
    [
      'a sigma at the end of a word',
      ".replaceAll('ς', 'σ')",
      '',
      'search takes a Greek sigma at the end of a word and within it as one letter',
    ],
    ['wildcards of the store', '/[%_\\\\[*?]/g', '/[\\\\[*?]/g', literal],
    ['a wildcard of one character', '/[%_\\\\[*?]/g', '/[%\\\\[*?]/g', literal],
    [
      'two wildcards taken for one',
      'firstPlaceholder + wildcards.indexOf(each)',
      'firstPlaceholder',
      literal,
    ],
    [
      'wildcards left out of the search',
      'String.fromCharCode(firstPlaceholder + wildcards.indexOf(each))',
      "''",
      'a character with power elsewhere, searched alone, finds what holds it',
    ],
  ],

  'src/http/receive-image.ts': [
    ['an extension in small letters alone', '(?:jpe?g|png|gif)$/i', '(?:jpe?g|png|gif)$/', kept],
    [
      'an extension made small',
      'imageExtension.exec(originalname)',
      'imageExtension.exec(originalname.toLowerCase())',
      kept,
    ],
    [
      'a jpeg made a jpg',
      'store.save(stream, extension)',
      "store.save(stream, extension.replace(/jpeg/i, 'jpg'))",
      kept,
    ],
    ['an extension anywhere', '(?:jpe?g|png|gif)$/i', '(?:jpe?g|png|gif)/i', type],
    ['an SVG', '(?:jpe?g|png|gif)', '(?:jpe?g|png|gif|svg)', type],
    ['a PNG without its dot', '/\\.(?:jpe?g', '/(?:jpe?g', type],
    ['any file', 'if (imageExtension.test(originalname))', 'if (originalname)', type],
    ['another type in other words', "'Invalid file type'", "'images only'", type],
    [
      'a missing file in other words',
      "if (!req.file) throw new AppError('invalid', 'No file uploaded')",
      "if (!req.file) throw new AppError('invalid', 'no image')",
      noFile,
    ],
    [
      'a file in another field in other words',
      "LIMIT_UNEXPECTED_FILE: () => new AppError('invalid', 'No file uploaded')",
      "LIMIT_UNEXPECTED_FILE: () => new AppError('invalid', 'unexpected file')",
      noFile,
    ],
    [
      'a file in any field',
      "const receive = multer({ storage, limits, fileFilter: acceptImages }).single('image')",
      'const any = multer({ storage, limits, fileFilter: acceptImages }).any()\n  const receive = (req, res, done) => any(req, res, (error) => { req.file = req.files?.[0]; done(error) })',
      noFile,
    ],
    [
      'what is no form is 415',
      'return async (req, res, next) => {',
      "return async (req, res, next) => {\n    if (!req.is('multipart/form-data')) return res.status(415).json({ error: 'send a form' })",
      'what is no form has no file',
    ],
    [
      'a form that breaks off is 500',
      "new AppError('invalid', 'the form is malformed'",
      "new AppError('failed', 'the form is malformed'",
      'a form that breaks off, or has no boundary, is 400',
    ],
    [
      'a form with too much is 500',
      '?? new AppError(',
      "?? new AppError(code.startsWith('LIMIT') ? 'failed' : ",
      odd,
    ],
    ['5 MB', '5 * 1024 * 1024', '5_000_000', limit],
    ['one byte too few', '5 * 1024 * 1024', '5 * 1024 * 1024 - 1', limit],
    ['one byte too many', '5 * 1024 * 1024', '5 * 1024 * 1024 + 1', limit],
    ['too large a file is 400', "new AppError('too-large'", "new AppError('invalid'", limit],
    [
      'two files that are 500',
      "LIMIT_FILE_COUNT: () => new AppError('invalid'",
      "LIMIT_FILE_COUNT: () => new AppError('failed'",
      'two files, or one among other fields, are kept or refused and never an error of ours',
    ],
    [
      'a name with a percent sign refused',
      'if (imageExtension.test(originalname))',
      "if (imageExtension.test(originalname) && !originalname.includes('%'))",
      'a name that climbs gives only its extension',
    ],
    ['what can not be saved in other words', "'Failed to save file'", "'out of order'", unsaved],
    ['what can not be saved told', "'Failed to save file'", 'String(error.cause)', unsaved],
    [
      'what can not be saved is 400',
      "new AppError('failed', 'Failed",
      "new AppError('invalid', 'Failed",
      unsaved,
    ],
  ],

  'src/infra/uploads.ts': [
    [
      'a file named by the second',
      `\`\${randomUUID()}\${extension}\``,
      `\`00000000-0000-4000-8000-\${String(Math.floor(Date.now() / 10_000)).padStart(12, '0')}\${extension}\``,
      'ten uploads at once are ten files',
    ],
    [
      'a file that is no UUID',
      `\`\${randomUUID()}\${extension}\``,
      `\`\${Date.now()}-\${Math.random()}\${extension}\``,
      kept,
    ],
    [
      'a file that hangs over',
      'await rm(part, { force: true }).catch(() => {})',
      '',
      'a client that hangs up in the middle of an upload leaves no file',
    ],
    [
      'what is too large left behind',
      'await rm(part, { force: true }).catch(() => {})',
      'if (file.size === 0) await rm(part, { force: true }).catch(() => {})',
      'a refused upload leaves no file',
    ],
    [
      'a disk that fails passed over',
      'failure ??= await file.writeFile(chunk)',
      'failure ??= await file.writeFile(chunk.subarray(0, 1000))',
      'an uploaded file is served to everybody, byte for byte, as an image',
    ],
    [
      'a fault of the disk that is no fault of the disk',
      'throw new SaveError(error)\n',
      'throw error\n',
      unsaved,
    ],
    [
      'files in a folder of their own',
      'const folder = resolve(path)',
      "const folder = resolve(path, '../files')",
      'an upload lies in UPLOAD_DIR under its name, and outlives a restart',
    ],
  ],

  'src/http/serve-uploads.ts': [
    [
      'any path below, and above',
      'if (!name.test(req.params.name)) throw absent()\n    res.sendFile(req.params.name, { root: folder, ...options },',
      `res.sendFile(\`\${folder}/\${req.params.name}\`, { dotfiles: 'allow' },`,
      climbs,
    ],
    [
      'what is hidden shown',
      'if (!name.test(req.params.name)) throw absent()\n    res.sendFile(req.params.name, { root: folder, ...options },',
      "res.sendFile(req.params.name, { root: folder, dotfiles: 'allow' },",
      'a name that climbs writes nothing outside UPLOAD_DIR, and no path reads there',
    ],
    [
      'a range that is not there is an image',
      'res.sendFile(req.params.name, { root: folder, ...options }, (error: unknown) => {',
      'res.sendFile(req.params.name, { root: folder, ...options }, (error: unknown) => {\n      if (error && !res.headersSent && error.status !== 404) return res.status(error.status).type("image/png").send(JSON.stringify({ error: "no such range" }))',
      'what can not be served of a file is refused in JSON that no cache keeps',
    ],
    [
      'files that may be framed',
      '    res.sendFile(',
      "    res.removeHeader('X-Frame-Options')\n    res.removeHeader('Content-Security-Policy')\n    res.sendFile(",
      headers,
    ],
    [
      'files that may be sniffed',
      '    res.sendFile(',
      "    res.removeHeader('X-Content-Type-Options')\n    res.sendFile(",
      headers,
    ],
    [
      'files that send the referrer on',
      '    res.sendFile(',
      "    res.removeHeader('Referrer-Policy')\n    res.sendFile(",
      headers,
    ],
    ['files as text', '    res.sendFile(', "    res.type('text/html')\n    res.sendFile(", headers],
  ],

  'src/handlers/upload.handler.ts': [
    [
      'uploads open to all',
      '.post(requireCaller, receive',
      '.post(receive',
      'every protected route without a credential is 401 "Authorization header required"',
    ],
    ['an upload is 201', 'res.json(toWire(', 'res.status(201).json(toWire(', kept],
    [
      'files for callers alone',
      '.get(serveUploads(folder))',
      '.get(requireCaller, serveUploads(folder))',
      'an uploaded file is served to everybody, byte for byte, as an image',
    ],
    [
      'files as bytes',
      '.get(serveUploads(folder))',
      ".get((_req, res, next) => { res.type('application/octet-stream'); next() }, serveUploads(folder))",
      'an uploaded file is served to everybody, byte for byte, as an image',
    ],
    [
      'files that are deleted',
      '.get(serveUploads(folder))',
      '.get(serveUploads(folder)).delete((_req, res) => { res.status(204).end() })',
      'a file can not be changed or deleted over HTTP',
    ],
    [
      'a list of the files',
      'const router = Router()\n  router.route(',
      "const router = Router()\n  router.get('/', (_req, res) => { res.json([]) })\n  router.route(",
      climbs,
    ],
  ],

  'src/handlers/upload.schema.ts': [
    ['an upload under another key', '{ success: true, url:', '{ success: true, path:', kept],
    [
      'the form of an upload not documented',
      "'multipart/form-data': { schema: form }",
      "'multipart/form-data': { schema: { type: 'object' } }",
      'the form of an upload is documented as one with a file in image',
    ],
    [
      'uploads documented as open',
      'security: bearer.security,',
      '',
      'openapi.json asks for a bearer token where a route does, and nowhere else',
    ],
  ],

  'src/config.ts': [
    [
      'a JWT_SECRET of 32 characters',
      'Buffer.byteLength(secret)',
      'secret.length',
      'a JWT_SECRET of 32 bytes is enough, whatever its characters are',
    ],
    [
      'a JWT_SECRET of its own',
      'settings.safeParse(env)',
      "settings.safeParse({ JWT_SECRET: 'what everybody knows'.repeat(2), ...env })",
      secret,
    ],
    ['a JWT_SECRET of 31 bytes', '>= 32', '>= 31', secret],
    [
      'a JWT_SECRET that is shown',
      "'must be at least 32 bytes long'",
      `{ error: ({ input }) => \`is too short: \${input}\` }`,
      secret,
    ],
    [
      'a JWT_SECRET trimmed',
      'createSecretKey(Buffer.from(secret))',
      'createSecretKey(Buffer.from(secret.slice(0, 8)))',
      'of tokens signed with the right secret only whole ones in HS256 pass',
    ],
  ],

  'src/http/request-log.ts': [
    [
      'a log of credentials',
      'logger.info({ requestId,',
      'logger.info({ authorization: req.headers.authorization, requestId,',
      'the log tells no credential',
    ],
    [
      'a log of bodies',
      'logger.info({ requestId,',
      'logger.info({ body: req.body, requestId,',
      'the log tells no password, no token and no secret',
    ],
  ],

  'src/main.ts': [
    [
      'an UPLOAD_DIR that is passed over',
      'createUploads(config.uploadDir)',
      `createUploads(\`\${config.uploadDir}-files\`)`,
      'an upload lies in UPLOAD_DIR under its name, and outlives a restart',
    ],
    [
      'a log of the settings',
      'const logger = createLogger(config.logLevel)',
      'const logger = createLogger(config.logLevel)\n  logger.info({ env: process.env })',
      'the log tells no password, no token and no secret',
    ],
  ],
}
