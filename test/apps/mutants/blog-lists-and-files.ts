import type { Edits } from './edits.ts'

const narrowed = 'published, tag, search and author_id filter the posts, alone and combined'
const range = 'an invalid or repeated filter answers 400, which names it'
const views = 'views filters the posts by value and by range'
const titles = 'title and author_id sort the posts, and a cursor continues with equal titles'
const wholeSlug = 'the filter tag matches a whole slug, not a name or a part'
const anyCase = 'search finds a substring of title or content in any case'
const beyond = 'search ignores case beyond ASCII'
const literal = 'search text is literal and has no wildcards'
const kept = 'an image is stored under a new name with its original extension'
const type = 'an unsupported extension answers 400 "Invalid file type"'
const firstBytes =
  'a file whose first bytes do not fit its extension answers 400 "Invalid file type"'
const noFile = 'a form without a file in the field image answers 400 "No file uploaded"'
const limit = 'a file of exactly 5 MiB is stored, and one byte more answers 413'
const odd = 'unusual forms never answer 5xx'
const headers = 'a served file has its security headers: nosniff, and no framing'
const climbs = 'no path, encoded or not, leaves or lists the upload folder'
const unsaved = 'a failed save answers 500 "Failed to save file", and the process continues'
const secret = 'a missing JWT_SECRET or one below 32 bytes stops the start'

/** Mutants of filters, search, uploads and settings. */
export const blogListAndFileEdits: Edits = {
  'src/handlers/post.schema.ts': [
    ['the filter views is ignored', "  ...range('views', numeric(unsigned())),\n", '', views],
    ['posts are not sorted by title', '{ title: text(), author_id', '{ author_id', titles],
    ['the filter published is ignored', '  published: flag(),\n', '', narrowed],
    ['the filter search is ignored', '  search: phrase(),\n', '', narrowed],
    [
      'the filter author_id is ignored',
      '    author_id: recordId(),\n    published',
      '    published',
      narrowed,
    ],
    [
      'a search text is truncated to 100 characters',
      'search: phrase(),',
      'search: z.string().overwrite((text) => text.slice(0, 100)).optional(),',
      'search finds the end of 100 kB of text and accepts a long search text',
    ],
    [
      'a search text is trimmed',
      'search: phrase(),',
      'search: z.string().trim().optional(),',
      anyCase,
    ],
  ],

  'src/http/filters.ts': [
    [
      'published=false filters as true',
      "value === 'true')\n    .pipe",
      'value)\n    .transform(Boolean)\n    .pipe',
      narrowed,
    ],
    [
      'the filter published accepts any text',
      ".refine((value) => value === 'true' || value === 'false', 'must be true or false')",
      '',
      range,
    ],
    [
      'the filter published accepts any case',
      'singleValue()\n    .refine',
      'singleValue()\n    .toLowerCase()\n    .refine',
      range,
    ],
    ['a filter accepts an id that starts with a digit', '/^[1-9]\\d*$/', '/^[1-9]/', range],
    [
      'a filter with a huge id answers 500',
      '.pipe(unsigned({ min: 1 }))',
      '.pipe(z.any())',
      'a filter by an id beyond every record returns nothing or is rejected by name',
    ],
    [
      'a filter truncates an id to 32 bits',
      '.transform(Number)\n    .pipe(unsigned({ min: 1 }))',
      '.transform((id) => (Number(id) | 0) || 1)\n    .pipe(z.int())',
      'a filter by an id beyond every record returns nothing or is rejected by name',
    ],
    [
      'a search text is cut at a NUL character',
      'singleValue().pipe(text())',
      "singleValue().pipe(z.string()).overwrite((value) => value.split('\\0')[0])",
      'a search or tag of unusual text finds nothing or is rejected by name',
    ],
  ],

  'src/repositories/post.repository.prisma.ts': [
    [
      'author_id does not narrow the query',
      'authorId: filter.authorId,\n    published',
      'published',
      narrowed,
    ],
    [
      'published=false returns all posts',
      'published: filter.published,',
      'published: filter.published || undefined,',
      narrowed,
    ],
    [
      'the filter tag returns only posts without other tags',
      '{ some: { slug',
      '{ every: { slug',
      narrowed,
    ],
    [
      'filters are combined with OR',
      '    tags: filter.tag === undefined',
      '    AND: filter.tag === undefined',
      narrowed,
    ],
    [
      'the filter tag disables the search',
      'OR: text && [',
      'OR: text && !filter.tag && [',
      narrowed,
    ],
    [
      'the filter tag matches the start of a slug',
      '{ slug: filter.tag }',
      '{ slug: { startsWith: filter.tag } }',
      wholeSlug,
    ],
    [
      'the filter tag matches a name',
      '{ slug: filter.tag }',
      '{ OR: [{ slug: filter.tag }, { name: filter.tag }] }',
      wholeSlug,
    ],
    [
      'the total of filtered posts counts all posts',
      'table.count({ where }),\n',
      'table.count(),\n',
      'total counts all records that match the filters',
    ],
    [
      'filtering by an unknown tag answers 404',
      'const where = matching(query)',
      'const where = matching(query)\n      if (query.tag) await assertFound("tag", 1, () => prisma.tag.count({ where: { slug: query.tag } }))',
      'filtering by an absent author or tag returns an empty list',
    ],
    ['the search ignores contents', ', { contentSearch: text }]', ']', anyCase],
    ['the search ignores titles', '[{ titleSearch: text }, ', '[', anyCase],
    ['the search requires a match in title and content', 'OR: text &&', 'AND: text &&', anyCase],
    [
      'the search text of a title keeps its case',
      'table.create({\n          data: {\n            ...data,\n            titleSearch: toSearch(data.title),',
      'table.create({\n          data: {\n            ...data,\n            titleSearch: data.title,',
      beyond,
    ],
    [
      'an update does not change the search text of a title',
      'where: { id },\n          data: {\n            ...data,\n            titleSearch: toSearch(data.title),',
      'where: { id },\n          data: {\n            ...data,',
      'filters see an update at once',
    ],
  ],

  'src/repositories/prisma.ts': [
    ['the searched text keeps its case', 'contains: foldText(search)', 'contains: search', beyond],
    [
      'the search matches only the start of a text',
      'contains: foldText',
      'startsWith: foldText',
      anyCase,
    ],
    [
      'the search covers only the first 65,535 characters',
      "foldText(text ?? '')",
      "foldText(text ?? '').slice(0, 65_535)",
      'search finds the end of 100 kB of text and accepts a long search text',
    ],
  ],

  'src/domain/fold-text.ts': [
    [
      'the search ignores case only in ASCII',
      '.toLowerCase()',
      '.replace(/[A-Z]/g, (each) => each.toLowerCase())',
      beyond,
    ],
    [
      'the search distinguishes the final sigma',
      ".replaceAll('ς', 'σ')",
      '',
      'search treats final and medial Greek sigma as one letter',
    ],
    ['the search treats % and _ as wildcards', '/[%_\\\\[*?]/g', '/[\\\\[*?]/g', literal],
    ['the search treats _ as a wildcard', '/[%_\\\\[*?]/g', '/[%\\\\[*?]/g', literal],
    [
      'the search confuses two wildcard characters',
      'firstPlaceholder + wildcards.indexOf(each)',
      'firstPlaceholder',
      literal,
    ],
    [
      'the search drops wildcard characters',
      'String.fromCharCode(firstPlaceholder + wildcards.indexOf(each))',
      "''",
      'searching for a single wildcard character finds the texts that contain it',
    ],
  ],

  'src/http/receive-image.ts': [
    [
      'an upload with an upper-case extension is rejected',
      '(?:jpe?g|png|gif)$/i',
      '(?:jpe?g|png|gif)$/',
      kept,
    ],
    [
      'an upload lower-cases its extension',
      'imageExtension.exec(originalname)',
      'imageExtension.exec(originalname.toLowerCase())',
      kept,
    ],
    [
      'an upload stores jpeg as jpg',
      'store.save(checkImage(stream, extension), extension)',
      "store.save(checkImage(stream, extension), extension.replace(/jpeg/i, 'jpg'))",
      kept,
    ],
    [
      'an upload accepts an extension anywhere in its name',
      '(?:jpe?g|png|gif)$/i',
      '(?:jpe?g|png|gif)/i',
      type,
    ],
    [
      'an SVG upload is accepted',
      'imageExtension.exec(originalname) ?? []',
      "imageExtension.exec(originalname.replace(/svg$/, 'jpg')) ?? []",
      type,
    ],
    [
      'an upload accepts an extension without a dot',
      'imageExtension.exec(originalname)',
      "imageExtension.exec('.' + originalname)",
      type,
    ],
    [
      'an upload of any type is accepted',
      'const [extension] = imageExtension.exec(originalname) ?? []',
      "const [extension] = imageExtension.exec(originalname) ?? ['.jpg']",
      type,
    ],
    [
      'an upload takes any first bytes',
      'else if (head.length >= signatureBytes) throw invalidType()\n  }\n  if (!isImage) throw',
      'else yield chunk\n  }\n  if (head.length === 0) throw',
      firstBytes,
    ],
    ['an upload takes a GIF for a PNG', "'.png': ['", "'.png': ['GIF89a', '", firstBytes],
    [
      'an upload rejects the older form of GIF',
      "['GIF87a', 'GIF89a']",
      "['GIF89a']",
      'an image is stored if it has the first bytes of its type, and nothing more',
    ],
    [
      'an upload takes a JPEG with EXIF only',
      "'.jpeg': ['\\xff\\xd8\\xff']",
      "'.jpeg': ['\\xff\\xd8\\xff\\xe1']",
      kept,
    ],
    [
      'an empty upload is accepted',
      'if (!isImage) throw',
      'if (head.length > 0 && !isImage) throw',
      'an empty file answers 400',
    ],
    [
      'a refused upload waits for its end',
      'reject(error)\n              done(error)',
      'done(error)',
      'a refused file is answered before its end',
    ],
    [
      'a file that is too large waits for its end',
      "stream.once('limit'",
      "stream.once('end'",
      'a refused file is answered before its end',
    ],
    [
      'an upload of a wrong type gets another message',
      "'Invalid file type'",
      "'images only'",
      type,
    ],
    [
      'an upload without a file gets another message',
      'if (!save) throw noFile()',
      "if (!save) throw new AppError('invalid', 'no image')",
      noFile,
    ],
    [
      'a file in a wrong field gets another message',
      "if (fieldname !== 'image') throw noFile()",
      "if (fieldname !== 'image') throw new AppError('invalid', 'unexpected file')",
      noFile,
    ],
    [
      'an upload accepts a file in any field',
      "if (fieldname !== 'image') throw noFile()\n",
      '',
      noFile,
    ],
    [
      'an upload that is no form answers 422',
      'if (!save) throw noFile()',
      "if (!save) throw req.is('multipart/form-data') ? noFile() : new AppError('unprocessable', 'send a form')",
      'an upload that is no form answers "No file uploaded"',
    ],
    [
      'a truncated form answers 500',
      "return new AppError('invalid', message",
      "return new AppError(isSecondFile ? 'invalid' : 'failed', message",
      'a truncated form and a form without a boundary answer 400',
    ],
    [
      'a form over its limits answers 500',
      "return new AppError('invalid', message",
      "return new AppError(String(Object(error).code).startsWith('LIMIT_FIELD') ? 'failed' : 'invalid', message",
      odd,
    ],
    ['the upload limit is 5,000,000 bytes', '5 * 1024 * 1024', '5_000_000', limit],
    ['the upload limit is one byte too low', '5 * 1024 * 1024', '5 * 1024 * 1024 - 1', limit],
    ['the upload limit is one byte too high', '5 * 1024 * 1024', '5 * 1024 * 1024 + 1', limit],
    [
      'a file that is too large answers 400',
      "new AppError('too-large'",
      "new AppError('invalid'",
      limit,
    ],
    [
      'an upload of two files answers 500',
      "return new AppError('invalid', message",
      "return new AppError(isSecondFile ? 'failed' : 'invalid', message",
      'two files, or a file among other fields, never answer 5xx',
    ],
    [
      'an upload with a percent sign in its name is rejected',
      'if (!extension) throw',
      "if (!extension || originalname.includes('%')) throw",
      'only the extension of a path-like file name is used',
    ],
    ['a failed save gets another message', "'Failed to save file'", "'out of order'", unsaved],
    [
      'a failed save reports the error of the disk',
      "'Failed to save file'",
      'String(error.cause)',
      unsaved,
    ],
    [
      'a failed save answers 400',
      "new AppError('failed', 'Failed",
      "new AppError('invalid', 'Failed",
      unsaved,
    ],
  ],

  'src/infra/uploads.ts': [
    [
      'two uploads within ten seconds get the same name',
      `\`\${randomUUID()}\${extension}\``,
      `\`00000000-0000-4000-8000-\${String(Math.floor(Date.now() / 10_000)).padStart(12, '0')}\${extension}\``,
      'ten concurrent uploads create ten files',
    ],
    [
      'an uploaded file has a name that is no UUID',
      `\`\${randomUUID()}\${extension}\``,
      `\`\${Date.now()}-\${Math.random()}\${extension}\``,
      kept,
    ],
    [
      'a rejected upload leaves a partial file',
      'await rm(part, { force: true }).catch(() => {})',
      '',
      'an upload aborted by the client leaves no file',
    ],
    [
      'a file that is too large leaves a partial file',
      'await rm(part, { force: true }).catch(() => {})',
      'if (file.size === 0) await rm(part, { force: true }).catch(() => {})',
      'a rejected upload leaves no file',
    ],
    [
      'a sweep spares partial files of ended processes',
      'if (pid && !isOther',
      'if (pid === process.pid && !isOther',
      'an upload cut off by a kill leaves no file after the next start',
    ],
    [
      'an upload truncates its chunks',
      'file.writeFile(chunk)',
      'file.writeFile(chunk.subarray(0, 1000))',
      'an uploaded file is served without a credential, unchanged, as an image',
    ],
    ['a disk error is not recognized', 'throw new SaveError(error)\n', 'throw error\n', unsaved],
    [
      'uploads are stored in another folder',
      'const folder = resolve(path)',
      "const folder = resolve(path, '../files')",
      'an upload is stored in UPLOAD_DIR under its name and survives a restart',
    ],
  ],

  'src/http/serve-uploads.ts': [
    [
      'the upload route serves any path',
      'if (!name.test(req.params.name)) throw absent()\n    res.sendFile(req.params.name, { root: folder, ...options },',
      `res.sendFile(\`\${folder}/\${req.params.name}\`, { dotfiles: 'allow' },`,
      climbs,
    ],
    [
      'the upload route serves hidden files',
      'if (!name.test(req.params.name)) throw absent()\n    res.sendFile(req.params.name, { root: folder, ...options },',
      "res.sendFile(req.params.name, { root: folder, dotfiles: 'allow' },",
      'no file name writes and no path reads outside UPLOAD_DIR',
    ],
    [
      'an unsatisfiable range is answered as an image',
      'res.sendFile(req.params.name, { root: folder, ...options }, (error: unknown) => {',
      'res.sendFile(req.params.name, { root: folder, ...options }, (error: unknown) => {\n      if (error && !res.headersSent && error.status !== 404) return res.status(error.status).type("image/png").send(JSON.stringify({ error: "no such range" }))',
      'a file request that fails answers JSON that is not cached',
    ],
    [
      'uploaded files allow framing',
      '    res.sendFile(',
      "    res.removeHeader('X-Frame-Options')\n    res.removeHeader('Content-Security-Policy')\n    res.sendFile(",
      headers,
    ],
    [
      'uploaded files lack nosniff',
      '    res.sendFile(',
      "    res.removeHeader('X-Content-Type-Options')\n    res.sendFile(",
      headers,
    ],
    [
      'uploaded files lack the referrer policy',
      '    res.sendFile(',
      "    res.removeHeader('Referrer-Policy')\n    res.sendFile(",
      headers,
    ],
    [
      'uploaded files are served as HTML',
      '    res.sendFile(',
      "    res.type('text/html')\n    res.sendFile(",
      headers,
    ],
  ],

  'src/handlers/upload.handler.ts': [
    [
      'an upload needs no credential',
      '.post(requireCaller, async',
      '.post(async',
      'every protected route without a credential answers 401 "Authorization header required"',
    ],
    ['an upload answers 201', 'res.json(toWire(', 'res.status(201).json(toWire(', kept],
    [
      'reading an uploaded file needs a credential',
      '.get(serveUploads(folder))',
      '.get((req, res, next) => { if (req.headers.authorization) next(); else res.status(401).end() }, serveUploads(folder))',
      'an uploaded file is served without a credential, unchanged, as an image',
    ],
    [
      'uploaded files are served as octet-stream',
      '.get(serveUploads(folder))',
      ".get((_req, res, next) => { res.type('application/octet-stream'); next() }, serveUploads(folder))",
      'an uploaded file is served without a credential, unchanged, as an image',
    ],
    [
      'DELETE on an uploaded file answers 204',
      '.get(serveUploads(folder))',
      '.get(serveUploads(folder)).delete((_req, res) => { res.status(204).end() })',
      'a file cannot be changed or deleted over HTTP',
    ],
    [
      'the upload route lists files',
      'const router = Router()\n  router.route(',
      "const router = Router()\n  router.get('/', (_req, res) => { res.json([]) })\n  router.route(",
      climbs,
    ],
  ],

  'src/handlers/upload.schema.ts': [
    [
      'an upload answers path instead of url',
      '{ success: true, url:',
      '{ success: true, path:',
      kept,
    ],
    [
      'OpenAPI lacks the form of uploads',
      "'multipart/form-data': { schema: form }",
      "'multipart/form-data': { schema: { type: 'object' } }",
      'the form of an upload is documented with a file in the field image',
    ],
    [
      'OpenAPI documents uploads without security',
      'token: true,',
      '',
      'openapi.json requires a bearer token exactly for the protected routes',
    ],
  ],

  'src/config.ts': [
    [
      'the length of JWT_SECRET is counted in characters',
      'Buffer.byteLength(secret)',
      'secret.length',
      'a JWT_SECRET of 32 bytes of any characters is accepted',
    ],
    [
      'a missing JWT_SECRET has a default',
      'settings.safeParse({ DOCS',
      "settings.safeParse({ JWT_SECRET: 'what everybody knows'.repeat(2), DOCS",
      secret,
    ],
    ['a JWT_SECRET of 31 bytes is accepted', '>= 32', '>= 31', secret],
    [
      'the error for a short JWT_SECRET shows it',
      "'must be at least 32 bytes long'",
      `{ error: ({ input }) => \`is too short: \${input}\` }`,
      secret,
    ],
    [
      'only the first eight bytes of JWT_SECRET count',
      'createSecretKey(Buffer.from(secret))',
      'createSecretKey(Buffer.from(secret.slice(0, 8)))',
      'a token with the right secret is accepted only with all claims and HS256',
    ],
  ],

  'src/http/request-log.ts': [
    [
      'the log contains the Authorization header',
      'logger.info({ requestId,',
      'logger.info({ authorization: req.headers.authorization, requestId,',
      'the log contains no credential',
    ],
    [
      'the log contains request bodies',
      'logger.info({ requestId,',
      'logger.info({ body: req.body, requestId,',
      'the log contains no password, no token and no secret',
    ],
  ],

  'src/main.ts': [
    [
      'a stop leaves partial files',
      'await stopServer(server, stopDelays)',
      'process.exit(0)',
      'an upload cut off by a stop leaves no file',
    ],
    [
      'a start leaves partial files',
      '  await uploads.sweep()\n  const',
      '  const',
      'an upload cut off by a kill leaves no file after the next start',
    ],
    [
      'UPLOAD_DIR is ignored',
      'createUploads(config.UPLOAD_DIR)',
      `createUploads(\`\${config.UPLOAD_DIR}-files\`)`,
      'an upload is stored in UPLOAD_DIR under its name and survives a restart',
    ],
    [
      'the log contains the environment',
      'const logger = createLogger(config.LOG_LEVEL)',
      'const logger = createLogger(config.LOG_LEVEL)\n  logger.info({ env: process.env })',
      'the log contains no password, no token and no secret',
    ],
  ],
}
