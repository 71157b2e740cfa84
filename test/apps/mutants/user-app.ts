import type { SourceMutant } from '../../support/apps/mutant-copy.ts'
import { type Edits, mutantsOf, pause } from './edits.ts'

/**
 * Edits that break `examples/user-app`, by file: frequent mistakes of generated applications, and
 * possible mistakes in a template. The named check must fail on each.
 */
const edits: Edits = {
  'src/repositories/prisma.ts': [
    [
      'lists are oldest first',
      "{ createdAt: 'desc'",
      "{ createdAt: 'asc'",
      'users: lists are newest first, and by descending id within one instant',
    ],
    [
      'records of one instant are sorted by ascending id',
      "{ id: 'desc'",
      "{ id: 'asc'",
      'users: lists are newest first, and by descending id within one instant',
    ],
    [
      'lists are sorted by updated_at',
      "{ createdAt: 'desc'",
      "{ updatedAt: 'desc'",
      'users: an update does not change the order of a list',
    ],
    [
      'the offset of a page is one page too large',
      '(Math.min(page, lastPage) - 1) * pageSize',
      'Math.min(page, lastPage) * pageSize',
      'users: pages split 45 records without a gap or an overlap',
    ],
    [
      'the offset of a page is one record too small',
      '(Math.min(page, lastPage) - 1) * pageSize',
      'Math.max(0, (Math.min(page, lastPage) - 1) * pageSize - 1)',
      'users: pages split 45 records without a gap or an overlap',
    ],
    [
      'a page after the last one answers 500',
      'Math.min(page, lastPage)',
      'page > lastPage ? Number.NaN : page',
      'users: a page beyond every list is empty or rejected',
    ],
    [
      'a page has one record too few',
      'take: pageSize }',
      'take: pageSize - 1 }',
      'users: a list without parameters returns the first 20 records',
    ],
    [
      'a page by cursor repeats the record of the cursor',
      '{ lt: id } : { gt: id }',
      '{ lte: id } : { gte: id }',
      'users: next_cursor is null on the last page, and elsewhere starts the next page',
    ],
    [
      'ids break ties in descending order only',
      'descending: sort[0].descending }]',
      'descending: true }]',
      'users: sort orders a list, and ids break ties in the direction of the first field',
    ],
    [
      'the last page of a cursor has a next cursor',
      'hasMore: rows.length > pageSize }',
      'hasMore: rows.length > 0 }',
      'users: next_cursor is null on the last page, and elsewhere starts the next page',
    ],
    [
      'a cursor starts at the first record again',
      'return { where: rest, orderBy',
      'return { where, orderBy',
      'users: pages by cursor have no gap and no overlap while records come and go',
    ],
    [
      'updating an absent record answers 500',
      "=== 'P2025'",
      "=== 'P0000'",
      'users: updating or deleting an absent record answers 404 and creates nothing',
    ],
  ],

  'src/http/filters.ts': [
    [
      'gte and gt are the same',
      "const [name = '', operator = 'equals'] = parameter.split(/[[\\]]/)",
      "const [name = '', operator = 'equals'] = parameter.replace('gte', 'gt').split(/[[\\]]/)",
      'users: age filters a list by value and by range',
    ],
    [
      'a bound that is no number is ignored',
      ".regex(/^-?\\d+(\\.\\d+)?$/, 'must be a number')",
      '',
      'users: an invalid or unknown comparison answers 400, which names it',
    ],
  ],

  'src/repositories/user.repository.prisma.ts': [
    [
      'total counts only the page',
      'return listingOf(query, rows, total)',
      'return listingOf(query, rows, Math.min(total, rows.length))',
      'users: total counts every record on every page',
    ],
    [
      'total is 0 after the last page',
      'return listingOf(query, rows, total)',
      'return listingOf(query, rows, rows.length === 0 ? 0 : total)',
      'users: the last page has the remaining records, and later pages are empty',
    ],
    [
      'lists are cached',
      'await run(\n        Promise.all(',
      'await ((reading) => (globalThis.cached ??= reading))(\n        Promise.all(',
      'users: a record is listed as soon as its write is answered',
    ],
    [
      'records are cached',
      'await run(table.findUnique({ where: { id } }))',
      '((globalThis.seen ??= {})[id] ??= await run(table.findUnique({ where: { id } })))',
      'two processes on one database serve the same records and write concurrently',
    ],
    [
      'ids are derived from the number of records',
      'table.create({ data })',
      `table.count().then(async (n) => { ${pause}; return table.create({ data: { ...data, id: n + 1 } }) })`,
      'users: fifty concurrent creates make fifty records',
    ],
    [
      'PUT resets fields that are not sent',
      'table.update({ where: { id }, data })',
      "table.update({ where: { id }, data: { name: 'x', email: 'x@example.com', age: 0, ...data } })",
      'users: an update of one field answers 200 with the record and keeps the other fields',
    ],
    [
      'an update overwrites concurrent changes of other fields',
      'table.update({ where: { id }, data })',
      `table.findUnique({ where: { id } }).then(async (was) => { ${pause}; return table.update({ where: { id }, data: { ...was, ...data } }) })`,
      'users: concurrent updates of different fields are all stored',
    ],
    [
      'an update creates an absent record',
      'table.update({ where: { id }, data })',
      "table.upsert({ where: { id }, update: data, create: { name: 'x', email: 'x@example.com', age: 0, ...data, id } })",
      'users: a record deleted while it is updated stays deleted',
    ],
    [
      'an update changes every record',
      'table.update({ where: { id }, data })',
      'table.updateMany({ data }).then(() => table.update({ where: { id }, data }))',
      'users: an update changes no other record',
    ],
    [
      'a delete removes older records too',
      'deleteMany({ where: { id } })',
      'deleteMany({ where: { id: { lte: id } } })',
      'users: a delete removes one record and no other',
    ],
    [
      'a delete removes nothing',
      'table.deleteMany({ where: { id } })',
      'table.findMany({ where: { id } }).then((rows) => ({ count: rows.length }))',
      'users: a deleted record is gone from its path and from the list',
    ],
    [
      'a concurrent delete answers 500',
      'const { count } = await run(check ? checked(id, check, removal) : removal(table))',
      `const count = await table.count({ where: { id } }); ${pause}; if (count > 0) await table.delete({ where: { id } }); if (check) await checked(id, check, removal)`,
      'users: concurrent deletes answer 204 or 404, at least one of them 204',
    ],
    [
      'an update writes in two steps',
      'table.update({ where: { id }, data })',
      'table.update({ where: { id }, data: { ...data, email: undefined } }).then(async () => {\n          const turn = (globalThis.turns = (globalThis.turns ?? 0) + 1)\n          while (turn === 1 && globalThis.turns < 20) await new Promise((resolve) => setTimeout(resolve, 10))\n          return table.update({ where: { id }, data: { email: data.email } })\n        })',
      'users: one of several concurrent updates is stored completely',
    ],
  ],

  'src/use-cases/user.service.ts': [
    [
      'deleting an absent record answers 204',
      'if (!(await repository.remove(id, check))) absent()',
      'await repository.remove(id, check)',
      'users: updating or deleting an absent record answers 404 and creates nothing',
    ],
    [
      'PUT changes created_at',
      '{ ...changes, updatedAt: now() }',
      '{ ...changes, createdAt: now(), updatedAt: now() }',
      'users: an update advances updated_at and keeps created_at',
    ],
    [
      'an update keeps updated_at',
      '{ ...changes, updatedAt: now() }',
      'changes',
      'users: an update advances updated_at and keeps created_at',
    ],
    [
      'reading an absent record answers 500',
      "new AppError('not-found', 'user not found')",
      "new Error('user not found')",
      'users: an unused id up to 2^53 - 1 answers 404',
    ],
  ],

  'src/container.ts': [
    [
      'timestamps are rounded to seconds',
      'now = () => new Date()',
      'now = () => new Date(Math.floor(Date.now() / 1000) * 1000)',
      'users: timestamps are exact to the millisecond',
    ],
    [
      'timestamps are two hours late',
      'now = () => new Date()',
      'now = () => new Date(Date.now() + 7_200_000)',
      'users: the timestamps of a new record are the current time',
    ],
  ],

  'src/handlers/user.handler.ts': [
    [
      'a create answers 200',
      'res.status(201).location',
      'res.location',
      'users: a create answers 201 with the record',
    ],
    [
      'a delete answers 200',
      'res.status(204).end()',
      'res.json({})',
      'users: a deleted record is gone from its path and from the list',
    ],
    [
      'a delete answers 204 with a body',
      'res.status(204).end()',
      "res.socket.end('HTTP/1.1 204 No Content\\r\\n\\r\\n{}')",
      'users: a delete answers 204 with nothing after its headers',
    ],
    [
      'an update requires all fields',
      'parseChanges(updateUserBody,',
      'parseChanges(createUserBody,',
      'users: an update of one field answers 200 with the record and keeps the other fields',
    ],
    [
      'a create takes the id from the body',
      'parseBody(createUserBody, readOnly, req)',
      '{ ...parseBody(createUserBody, readOnly, req), ...(req.body.id > 0 && { id: req.body.id }) }',
      'users: id, created_at and updated_at in a body are ignored',
    ],
    [
      'PUT writes before it validates',
      'const changes = parseChanges(',
      'if (req.body?.name) await service.update(parseId(req), { name: req.body.name })\n      const changes = parseChanges(',
      'users: a body with one invalid field changes nothing',
    ],
    [
      'PUT is served without documentation on the collection',
      '    .post(jsonBody,',
      '    .put((_req, res) => res.json({}))\n    .post(jsonBody,',
      'a method that a documented path lacks answers 405',
    ],
    [
      'PATCH changes nothing',
      '.patch(jsonBody, update)',
      '.patch(jsonBody, async (req, res) => { res.json(toWire(await service.find(parseId(req)))) })',
      'users: PATCH changes the sent fields and keeps the others, like PUT',
    ],
    [
      'a create has no Location',
      '.location(',
      ".set('X-Location', ",
      'users: a create names the path of the record in Location',
    ],
  ],

  'src/handlers/user.schema.ts': [
    [
      'zero is rejected as missing',
      'age: integer(),',
      "age: integer().refine(Boolean, 'is required'),",
      'users: zero counts as a value in a create and in an update',
    ],
    [
      'numbers are parsed from text',
      'age: integer(),',
      'age: z.coerce.number().int(),',
      'users: a create with one value of the wrong type names only this field',
    ],
    [
      'fractions are accepted as integers',
      'age: integer(),',
      'age: z.number(),',
      'users: an update with one value of the wrong type names only this field',
    ],
    [
      'any text is accepted as e-mail',
      'email: email(),',
      'email: text(),',
      'users: a malformed e-mail is rejected and named',
    ],
    [
      'an e-mail must be lower case',
      'email: email(),',
      "email: email().regex(/^[a-z]+@/, 'must be lower case'),",
      'users: a well-formed e-mail is accepted',
    ],
    [
      'texts are trimmed',
      'name: text({ min: 1, max: 255 }),',
      'name: text({ min: 1, max: 255 }).trim(),',
      'users: text of every script reads back unchanged',
    ],
    [
      'texts are escaped for HTML',
      'name: user.name,',
      "name: user.name.replaceAll('<', '&lt;'),",
      'users: text that looks like a query, a path or a template reads back unchanged',
    ],
    [
      'long texts are truncated',
      'name: text({ min: 1, max: 255 }),',
      'name: z.string().overwrite((name) => name.slice(0, 255)),',
      'users: an empty or long text is stored unchanged or rejected by name',
    ],
    [
      'a create ignores unknown fields',
      'z.strictObject({ ...fields })',
      'z.object({ ...fields })',
      'users: an unknown field answers 400, which names it, in a create and in an update',
    ],
    [
      'an update ignores unknown fields',
      'z.strictObject(fields).partial()',
      'z.object(fields).partial()',
      'users: an unknown field answers 400, which names it, in a create and in an update',
    ],
    [
      'the schema of PUT requires all fields',
      'z.strictObject(fields).partial()',
      'z.strictObject(fields)',
      'users: an update of one field answers 200 with the record and keeps the other fields',
    ],
    [
      'a body with updated_at is rejected',
      "['id', 'created_at', 'updated_at']",
      "['id', 'created_at']",
      'users: a record can be sent back as it was read, in a create and in an update',
    ],
    [
      'a response has a key in camelCase',
      'created_at: user.createdAt.toISOString()',
      'createdAt: user.createdAt.toISOString()',
      'users: a create answers 201 with the record',
    ],
    [
      'timestamps have no milliseconds',
      'user.createdAt.toISOString()',
      "user.createdAt.toISOString().replace(/\\.\\d+/, '')",
      'users: a create answers 201 with the record',
    ],
    [
      'timestamps have no time zone',
      'user.updatedAt.toISOString()',
      "user.updatedAt.toISOString().replace('Z', '')",
      'users: a create answers 201 with the record',
    ],
    [
      'timestamps are numbers',
      'user.createdAt.toISOString()',
      'user.createdAt.getTime()',
      'users: a create answers 201 with the record',
    ],
    [
      'ids are texts',
      'id: user.id,',
      'id: String(user.id),',
      'users: a create answers 201 with the record',
    ],
    [
      'a response has an extra key',
      'id: user.id,',
      'id: user.id, _id: user.id,',
      'users: a created record reads back the same from its path and the list',
    ],
    [
      'OpenAPI documents created_at as optional',
      'created_at: z.iso.datetime(),',
      'created_at: z.iso.datetime().optional(),',
      'the documented schemas allow nothing that responses never contain',
    ],
    [
      'OpenAPI documents id as text',
      'id: z.int().positive(),',
      'id: z.string(),',
      'responses match their documented schemas',
    ],
    [
      'numbers are rounded to single precision',
      'age: user.age,',
      'age: Math.fround(user.age),',
      'users: an integer of any size is stored exactly or rejected by name',
    ],
  ],

  'src/http/fields.ts': [
    [
      'unpaired surrogates and NUL are accepted without a check',
      "value.isWellFormed() && !value.includes('\\0')",
      'true',
      'users: NUL and unpaired surrogates are stored unchanged or rejected by name',
    ],
  ],

  'src/http/paging.ts': [
    [
      'a repeated query parameter counts once',
      'parse(toPage, query)',
      'parse(toPage, Object.fromEntries(Object.entries(query).map(([key, value]) => [key, [value].flat()[0]])))',
      'users: a repeated query parameter answers 400, even with the same value',
    ],
    [
      'an unknown query parameter answers 500',
      'parse(toPage, query)',
      "{ if ('page[]' in query) throw new TypeError('no such parameter')\n  return parse(toPage, query) }",
      'users: an unusual query string is ignored or rejected',
    ],
    [
      'a list has the key data',
      '[name]: rows',
      'data: rows',
      'users: a list without parameters returns the first 20 records',
    ],
    [
      'a list has an undocumented key',
      'total, page, page_size: pageSize,',
      'total, pages: 1, page, page_size: pageSize,',
      'users: total counts every record on every page',
    ],
    [
      'a list always reports page 1',
      'page, page_size: pageSize,',
      'page: 1, page_size: pageSize,',
      'users: a list contains its page and page_size',
    ],
    [
      'sort takes a field twice',
      '.size === sort.length, message',
      '.size > 0, message',
      'users: an invalid sort answers 400, which names it',
    ],
    [
      'an unreadable cursor is ignored',
      "context.addIssue('is not a cursor of this list')\n        return z.NEVER",
      'return undefined as never',
      'users: an invalid cursor answers 400, which names it',
    ],
    [
      'a cursor is accepted next to a page',
      'page !== undefined || ',
      '',
      'users: a cursor with a page or another sort answers 400, which names the cursor',
    ],
    [
      'unknown query parameters are ignored',
      '.strictObject(',
      '.object(',
      'users: an unknown query parameter answers 400, which names it',
    ],
    [
      'the default page_size is 10',
      '.default(20)',
      '.default(10)',
      'users: a list without parameters returns the first 20 records',
    ],
    [
      'page_size has no limit',
      'wholeNumber(100)',
      'wholeNumber(Number.MAX_SAFE_INTEGER)',
      'users: page and page_size out of range answer 400, which names only them',
    ],
    [
      'page_size is limited to 99',
      'wholeNumber(100)',
      'wholeNumber(99)',
      'users: page_size 1 and 100 are in range',
    ],
    [
      'page 0 is accepted',
      'z.int().min(1).max(max)',
      'z.int().max(max)',
      'users: page and page_size out of range answer 400, which names only them',
    ],
    [
      'a page may be any text',
      '/^\\d+$/',
      '/./',
      'users: page and page_size out of range answer 400, which names only them',
    ],
  ],

  'src/http/parse.ts': [
    [
      'read-only fields in a body are rejected',
      '.filter(([key]) => !readOnly.includes(key))',
      '',
      'users: a record can be sent back as it was read, in a create and in an update',
    ],
    [
      'a validation error names only the first field',
      '.values()]\n}',
      '.values()].slice(0, 1)\n}',
      'users: a create with an empty body names every required field',
    ],
    [
      'a validation error does not name unknown fields',
      "issue.code === 'unrecognized_keys'",
      "issue.code === 'unrecognized_keys' && issue.keys.length < 0",
      'users: invalid, missing and unknown fields are all named at once',
    ],
    [
      'a validation error prefixes field names with body',
      "({ path: path.join('.'),",
      "({ path: ['body', ...path].join('.'),",
      'users: a create without one field names only this field',
    ],
    [
      'PUT with an empty body is accepted',
      'Object.keys(changes).length === 0',
      'Object.keys(changes).length < 0',
      'users: an update without fields answers 400',
    ],
    [
      'a body of null is accepted as an object',
      ' || body === null',
      '',
      'users: a JSON body that is not an object answers 400',
    ],
    [
      'a negative id answers 404',
      '/^[1-9]\\d*$/',
      '/^-?\\d+$/',
      'users: the ids abc, 0, -1 and 1.5 answer 400',
    ],
    [
      'an id that starts with a digit is accepted',
      '/^[1-9]\\d*$/.test(params.id)',
      '/^[1-9]\\d*/.test(params.id)',
      'users: an id that starts with a digit but is no number answers 400',
    ],
    [
      'an id in any number notation is accepted',
      '!/^[1-9]\\d*$/.test(params.id)',
      '!(Number.isInteger(Number(params.id)) && Number(params.id) > 0)',
      'users: an id in another number notation finds no record',
    ],
    [
      'an id past 2^53 reaches the store',
      'if (id > maxId)',
      'if (id > maxId && Number.isSafeInteger(id))',
      'users: an id past 2^53 answers 404 or 400',
    ],
    [
      'the body limit is 100 kB',
      "limit: '1mb', ",
      '',
      'users: a body of exactly 1 MiB is accepted with and without Content-Length',
    ],
    [
      'the body limit is 10 MiB',
      "limit: '1mb'",
      "limit: '10mb'",
      'users: a body over 1 MiB answers 413 with and without Content-Length',
    ],
    [
      'a body of any content type is parsed as JSON',
      "if (req.is('application/json') === false) {",
      "req.headers['content-type'] = 'application/json'\n  if (req.method === 'nothing') {",
      'users: a body without a JSON content type answers 415',
    ],
    [
      'a content type with a charset is rejected',
      "req.is('application/json') === false",
      "req.headers['content-type'] !== 'application/json'",
      'users: application/json is accepted in any case and with a charset',
    ],
    [
      'read-only fields in a body are validated',
      'const sent = Object.entries(body)',
      "if ('id' in body && typeof body.id !== 'number') throw new AppError('invalid', 'bad id')\n  const sent = Object.entries(body)",
      'users: invalid values of read-only fields do not change the outcome',
    ],
    [
      'a validation error names a hundred fields at most',
      '.values()]\n}',
      '.values()].slice(0, 100)\n}',
      'users: a deeply nested value and hundreds of unknown fields answer 400',
    ],
    [
      'a __proto__ key in a body is dropped',
      'Object.fromEntries(sent)',
      'Object.assign({}, Object.fromEntries(sent))',
      'users: __proto__, constructor and toString are rejected as unknown fields',
    ],
    [
      'a compressed body is inflated without a limit',
      '  parseJson(req, res, next)',
      "  if (req.headers['content-encoding'] !== 'gzip') return parseJson(req, res, next)\n  const chunks = []\n  const { createGunzip } = process.getBuiltinModule('node:zlib')\n  const inflated = req.pipe(createGunzip()).on('data', (chunk) => chunks.push(chunk))\n  inflated.on('end', () => next(void (req.body = JSON.parse(Buffer.concat(chunks)))))",
      'users: a compressed body cannot exceed the body limit',
    ],
  ],

  'src/http/errors.ts': [
    [
      'an unknown path answers 500',
      "'not-found': 404",
      "'not-found': 500",
      'an unknown path answers 404 with a JSON error for every method and Accept header',
    ],
    [
      'an error response has an extra key',
      'return { status: statusOf[kind], error: message,',
      'return { status: statusOf[kind], message, error: message,',
      'an unknown path answers 404 with a JSON error for every method and Accept header',
    ],
    [
      'a validation error has no details',
      '...(details && { details })',
      '',
      'users: a create with an empty body names every required field',
    ],
    [
      'a 400 contains a stack trace',
      'return { status: statusOf[kind], error: message,',
      'return { status: statusOf[kind], error: String(error.stack),',
      'users: the ids abc, 0, -1 and 1.5 answer 400',
    ],
    [
      'a 500 contains a stack trace',
      "{ status: 500, error: 'internal error' }",
      '{ status: 500, error: String((error as Error).stack) }',
      'a store failure answers 500 or 503 without details, and the process continues',
    ],
    [
      'a 500 contains the message of the store',
      "{ status: 500, error: 'internal error' }",
      '{ status: 500, error: (error as Error).message }',
      'a store failure answers 500 or 503 without details, and the process continues',
    ],
    [
      'malformed JSON answers 500',
      'error.status >= 400 &&',
      'error.status > 400 &&',
      'users: a body that is not JSON answers 400',
    ],
    [
      'a body over the limit answers 500',
      'error.status < 500',
      'error.status !== 413',
      'users: a body over 1 MiB answers 413 with and without Content-Length',
    ],
    [
      'an unknown charset answers 500',
      'error.status < 500',
      'error.status !== 415',
      'users: bodies that are not UTF-8 answer 4xx',
    ],
    [
      'a badly encoded path answers 500',
      "'status' in error)) return false",
      "'type' in error)) return false",
      'a badly encoded path or a path with dot segments answers 400 or 404',
    ],
    [
      'a 405 has no Allow header',
      "'Allow'",
      "'X-Allow'",
      'an unsupported method answers 405, and Allow lists exactly the supported methods',
    ],
    [
      'the Allow header lacks methods',
      "filter((method) => !method.startsWith('_'))",
      "filter((method) => !method.startsWith('_')).slice(0, 1)",
      'an unsupported method answers 405, and Allow lists exactly the supported methods',
    ],
    [
      'an unsupported method answers 404',
      "res.status(405).json({ error: 'method not allowed' })",
      "res.status(404).json({ error: 'no such path' })",
      'an unsupported method answers 405, and Allow lists exactly the supported methods',
    ],
    [
      'an error closes the connection',
      'res.status(status).json(body)',
      "res.set('Connection', 'close').status(status).json(body)",
      'users: a connection stays usable after a rejected body',
    ],
  ],

  'src/http/readiness.ts': [
    [
      'ready answers the status of health',
      "{ status: 'ready' }",
      "{ status: 'ok' }",
      'ready answers the status ready, and nothing else',
    ],
  ],

  'src/http/server.ts': [
    [
      'idle connections are closed after five seconds',
      'keepAliveTimeout = 65_000',
      'keepAliveTimeout = 5_000',
      'a keep-alive connection may be idle for 65 seconds',
    ],
  ],

  'src/http/metrics.ts': [
    [
      'metrics have the path of each request',
      'patternOf(path, req.route.path)',
      'path',
      'GET /metrics counts requests by route if METRICS=1, and does not exist otherwise',
    ],
  ],

  'src/http/docs.ts': [
    [
      'the policy of the docs page allows everything',
      "default-src 'none';",
      'default-src *;',
      'GET /docs is a page without outside resources, and is off in production unless DOCS=1',
    ],
  ],

  'src/http/security-headers.ts': [
    [
      'responses lack nosniff',
      "  ['X-Content-Type-Options', 'nosniff'],\n",
      '',
      'every response has nosniff',
    ],
    [
      'responses allow framing',
      'res.setHeaders(headers)',
      "res.setHeaders(headers)\n  res.removeHeader('X-Frame-Options')\n  res.removeHeader('Content-Security-Policy')",
      'every response forbids framing',
    ],
    [
      'responses lack the referrer policy',
      "  ['Referrer-Policy', 'no-referrer'],\n",
      '',
      'every response sets a no-referrer policy',
    ],
  ],

  'src/http/request-log.ts': [
    [
      'responses lack the request id',
      "res.setHeader('X-Request-Id', requestId)",
      '',
      'every response has a request id: the one of the request or a new one',
    ],
    [
      'the request id of a request is ignored',
      "givenId(req.headers['x-request-id']) ?? randomUUID()",
      'randomUUID()',
      'the log line of a request has the id that the request sent',
    ],
    [
      'all requests get the same id',
      'randomUUID()',
      "'00000000-0000-4000-8000-000000000000'",
      'every response has a request id: the one of the request or a new one',
    ],
    [
      'log lines lack the request id',
      'logger.info({ requestId, method',
      'logger.info({ method',
      'every log line is JSON, and each request has one line with its own id',
    ],
    [
      'requests are not logged',
      "res.once('close'",
      "res.once('never'",
      'every log line is JSON, and each request has one line with its own id',
    ],
    [
      'a request is logged twice',
      "res.once('close', () => {",
      "for (const event of ['finish', 'close']) res.once(event, () => {",
      'every log line is JSON, and each request has one line with its own id',
    ],
    [
      'an aborted request is logged with its status',
      'res.writableFinished && !res.req.errored ? res.statusCode : 499',
      'res.statusCode',
      'the log has no success for a request that the client aborted',
    ],
    [
      'the log contains request headers',
      'logger.info({ requestId, method',
      'logger.info({ requestId, headers: req.headers, method',
      'the log contains no credential',
    ],
  ],

  'src/infra/logger.ts': [
    [
      'the log is not JSON',
      'timestamp: pino.stdTimeFunctions.isoTime })',
      "timestamp: pino.stdTimeFunctions.isoTime }, { write: (line) => process.stdout.write(line.replaceAll('\"', '')) })",
      'every log line is JSON, and each request has one line with its own id',
    ],
  ],

  'src/http/openapi.ts': [
    [
      'OpenAPI lacks the path /health',
      "Object.assign({ '/health': health, '/ready': ready }, ...docs",
      "Object.assign({ '/ready': ready }, ...docs",
      'openapi.json documents every route of the contract',
    ],
    [
      'OpenAPI documents a path that is not served',
      "Object.assign({ '/health': health, '/ready': ready }, ...docs",
      "Object.assign({ '/health': health, '/ready': ready, '/metrics': health }, ...docs",
      'every documented operation is served',
    ],
    [
      'OpenAPI lacks the 415 of bodies',
      'body ? [400, 413, 415]',
      'body ? [400, 413]',
      'every status that the suite meets is documented',
    ],
    [
      'OpenAPI has version 3.0.3',
      "openapi: '3.1.0'",
      "openapi: '3.0.3'",
      'openapi.json is a valid OpenAPI 3.1 document',
    ],
  ],

  'src/http/crud-doc.ts': [
    [
      'two operations of OpenAPI have the same operationId',
      'id: `list',
      'id: `get',
      'openapi.json is a valid OpenAPI 3.1 document',
    ],
    [
      'OpenAPI documents page_size without its limit',
      'return Object.entries(properties).map(',
      "return Object.entries({ ...properties, page_size: { type: 'integer', minimum: 1, default: 20 } }).map(",
      'the parameters of lists and records are documented with their ranges',
    ],
    [
      'OpenAPI documents request bodies without a schema',
      'const created = accepting(create, readOnly)',
      'const created = z.looseObject({})',
      'the documented request bodies match exactly the accepted bodies',
    ],
    [
      'OpenAPI lacks the 404 of records',
      'statuses: [304, 400, 404],\n',
      'statuses: [304, 400],\n',
      'responses match their documented schemas',
    ],
    [
      'OpenAPI lacks the DELETE of records',
      '      delete: operation({',
      '      trace: operation({',
      'openapi.json documents every route of the contract',
    ],
  ],

  'src/app.ts': [
    [
      'metrics need no setting',
      'if (METRICS) {',
      'if (!METRICS || true) {',
      'GET /metrics counts requests by route if METRICS=1, and does not exist otherwise',
    ],
    [
      'CORS needs no setting',
      'if (CORS_ORIGINS.length > 0) {',
      "{\n    if (CORS_ORIGINS.length === 0) CORS_ORIGINS.push('*')",
      'without CORS_ORIGINS no page of another origin may call the API',
    ],
    [
      'CORS_ORIGINS allows every origin',
      "CORS_ORIGINS.includes('*') ? '*'",
      "CORS_ORIGINS.length > 0 ? '*'",
      'CORS_ORIGINS lets pages of these origins send requests and read all answers',
    ],
    [
      'CORS_ORIGINS=* allows no origin',
      "CORS_ORIGINS.includes('*') ? '*'",
      "CORS_ORIGINS.includes('any') ? '*'",
      'CORS_ORIGINS=* lets pages of every origin send requests',
    ],
    [
      'responses have the header X-Powered-By',
      "  app.disable('x-powered-by')\n",
      '',
      'no response names the framework',
    ],
    [
      'only the API sets security headers',
      'app.use(requestLog(logger), securityHeaders)',
      "app.use(requestLog(logger))\n  app.use('/api/v1', securityHeaders)",
      'every response forbids framing',
    ],
    [
      'an unknown path answers HTML',
      'app.use(notFound, errorHandler(logger))',
      'app.use(errorHandler(logger))',
      'an unknown path answers 404 with a JSON error for every method and Accept header',
    ],
    [
      'errors answer HTML',
      'app.use(notFound, errorHandler(logger))',
      'app.use(notFound)',
      'users: a body that is not JSON answers 400',
    ],
    [
      'health answers an extra key',
      "{ status: 'ok', timestamp:",
      "{ status: 'ok', uptime: process.uptime(), timestamp:",
      'health answers the status ok and a timestamp, and nothing else',
    ],
    [
      'health answers another status',
      "status: 'ok'",
      "status: 'healthy'",
      'health answers the status ok and a timestamp, and nothing else',
    ],
    [
      'the timestamp of health is a number',
      'new Date().toISOString()',
      'Date.now()',
      'the timestamp of health is the current time in ISO 8601 UTC',
    ],
    [
      'POST /health answers 404',
      "serve('/health', (",
      "app.get('/health', (",
      'an unsupported method answers 405, and Allow lists exactly the supported methods',
    ],
    [
      'openapi.json is served at another path',
      "serve('/openapi.json'",
      "serve('/docs/openapi.json'",
      'openapi.json is a valid OpenAPI 3.1 document',
    ],
    [
      'HEAD answers 405',
      "  app.use('/api/v1', createRoutes(container))",
      "  app.head('/api/v1/users', methodNotAllowed)\n  app.use('/api/v1', createRoutes(container))",
      'HEAD answers like GET without a body',
    ],
    [
      'a 404 closes the connection',
      'app.use(notFound,',
      "app.use((_req, res, next) => next(void res.set('Connection', 'close')), notFound,",
      'pipelined requests are answered in order',
    ],
  ],

  'src/config.ts': [
    [
      'the docs page is on in production',
      "env.NODE_ENV === 'production' ? '0' : '1'",
      "'1'",
      'GET /docs is a page without outside resources, and is off in production unless DOCS=1',
    ],
    [
      'proxies of TRUST_PROXY are not checked',
      '    express().set',
      '    if (proxies !== 0) return true\n    express().set',
      'all invalid settings are named at once, with exit code 1 and no stack trace',
    ],
    [
      'only the first invalid setting is named',
      'result.error.issues.map(',
      'result.error.issues.slice(0, 1).map(',
      'all invalid settings are named at once, with exit code 1 and no stack trace',
    ],
    [
      'the error for invalid settings shows a value',
      "this.name = 'ConfigError'",
      "this.name = 'ConfigError'\n    this.message += process.env.DATABASE_URL",
      'all invalid settings are named at once, with exit code 1 and no stack trace',
    ],
    [
      'a PORT past 65535 is accepted',
      ".refine((port) => port <= 65535, 'must be at most 65535')",
      '.transform((port) => port % 65536)',
      'an invalid PORT stops the start',
    ],
    [
      'LOG_LEVEL is ignored',
      'return result.data',
      "return { ...result.data, LOG_LEVEL: 'info' }",
      'LOG_LEVEL=error omits the request lines',
    ],
  ],

  'src/infra/sqlite-adapter.ts': [
    [
      'a write fails while another process writes',
      '!isBusy(error) || ',
      'true || ',
      'a write waits for the write of another process',
    ],
  ],

  'src/infra/database-file.ts': [
    [
      'writes are never committed',
      'PRAGMA busy_timeout = 0',
      'PRAGMA busy_timeout = 0; BEGIN',
      'acknowledged writes survive kill -9',
    ],
    [
      'a start deletes the database',
      '  mkdirSync(dirname',
      "  process.getBuiltinModule('node:fs').rmSync(path, { force: true })\n  mkdirSync(dirname",
      'a restart keeps the records and continues their ids',
    ],
  ],

  'prisma/migrations/0001_create_users/migration.sql': [
    [
      'the e-mail of a user must be unique',
      '"email" TEXT NOT NULL',
      '"email" TEXT NOT NULL UNIQUE',
      'users: two users can have the same e-mail',
    ],
    [
      'ids of deleted records are reused',
      'PRIMARY KEY AUTOINCREMENT',
      'PRIMARY KEY',
      'users: the id of a deleted record is not reused',
    ],
  ],

  'src/http/stop-server.ts': [
    [
      'a stopping server does not announce that it closes connections',
      "res.setHeader('Connection', 'close')",
      'res.getHeaderNames()',
      'after SIGTERM busy keep-alive connections end with an answer that closes them',
    ],
  ],

  'src/main.ts': [
    [
      'SIGTERM ends the process at once',
      "  process.on('SIGTERM', stop)\n",
      '',
      'after SIGTERM an open request completes, its write is kept, and the process exits with 0',
    ],
    [
      'SIGTERM aborts open requests',
      'await stopServer(server, stopDelays)',
      'server.close()',
      'after SIGTERM an open request completes, its write is kept, and the process exits with 0',
    ],
    [
      'a second SIGTERM ends the process at once',
      'if (isStopping) return',
      'if (isStopping) process.exit(0)',
      'a second SIGTERM aborts no request',
    ],
    [
      'a PORT in use prints a stack trace',
      'throw new ConfigError([',
      'throw new Error([',
      'a PORT in use stops the start',
    ],
    [
      'a stopping process is ready',
      "    if (isStopping) throw new Error('the app is stopping')\n",
      '',
      'after SIGTERM /ready answers 503 on open connections',
    ],
    [
      'a stop exits with 1',
      'process.exit(0)',
      'process.exit(1)',
      'an idle keep-alive connection does not delay the exit',
    ],
    [
      'a stop waits for a minute',
      'graceMs: 8_000',
      'graceMs: 60_000',
      'a silent connection and an endless request delay the exit by ten seconds at most',
    ],
    [
      'invalid settings exit with 0',
      'process.exit(1)',
      'process.exit(0)',
      'all invalid settings are named at once, with exit code 1 and no stack trace',
    ],
    [
      'invalid settings print a stack trace',
      '  if (!(error instanceof ConfigError',
      '  throw error\n  if (!(error instanceof ConfigError',
      'all invalid settings are named at once, with exit code 1 and no stack trace',
    ],
    [
      'HOST is ignored',
      'server.listen(port, host)',
      'server.listen(port)',
      'the app listens only on HOST',
    ],
    [
      'the start prints a line that is not JSON',
      "logger.info({ host: config.HOST, port: config.PORT }, 'listening')",
      "console.log('listening on', config.PORT)",
      'every log line is JSON, and each request has one line with its own id',
    ],
    [
      'a malformed request ends the process',
      'await listen(server, config)',
      "server.on('clientError', (error) => { throw error })\n  await listen(server, config)",
      'users: an aborted or malformed request does not disturb other clients',
    ],
  ],
}

/** Broken versions of `examples/user-app`: the named check must fail on each. */
export const userAppMutants: readonly SourceMutant[] = mutantsOf(edits)
