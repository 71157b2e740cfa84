import type { SourceMutant } from '../../support/apps/mutant-copy.ts'
import { type Edits, mutantsOf, pause } from './edits.ts'

/**
 * Edits that break `examples/user-app`, by file. Mistakes that generated applications are known for,
 * or that somebody could make who changes a template: each is noticed by the check it names.
 */
const edits: Edits = {
  'src/repositories/prisma.ts': [
    [
      'oldest first',
      "{ createdAt: 'desc'",
      "{ createdAt: 'asc'",
      'users: the newest come first, and within one instant the higher id',
    ],
    [
      'the lower id first in one instant',
      "{ id: 'desc'",
      "{ id: 'asc'",
      'users: the newest come first, and within one instant the higher id',
    ],
    [
      'a list sorted by the last update',
      "{ createdAt: 'desc'",
      "{ updatedAt: 'desc'",
      'users: an update leaves the order as it was',
    ],
    [
      'an offset of one page too many',
      '(Math.min(page, lastPage) - 1) * pageSize',
      'Math.min(page, lastPage) * pageSize',
      'users: pages cut 45 records without a gap or an overlap',
    ],
    [
      'an offset of one record too few',
      '(Math.min(page, lastPage) - 1) * pageSize',
      'Math.max(0, (Math.min(page, lastPage) - 1) * pageSize - 1)',
      'users: pages cut 45 records without a gap or an overlap',
    ],
    [
      'a page past what the store counts that is 500',
      'Math.min(page, lastPage)',
      'page > lastPage ? Number.NaN : page',
      'users: a page no list can reach is empty or refused',
    ],
    [
      'a page with one record too few',
      'take: pageSize }',
      'take: pageSize - 1 }',
      'users: a list has 20 records of the first page when nothing is asked for',
    ],
    [
      'an update of an absent record is 500',
      "=== 'P2025'",
      "=== 'P0000'",
      'users: updating or deleting a record that never was is 404 and makes none',
    ],
  ],

  'src/repositories/user.repository.prisma.ts': [
    [
      'total counted after pagination',
      'return { rows, total }',
      'return { rows, total: Math.min(total, rows.length) }',
      'users: total counts every record, whatever the page',
    ],
    [
      'total lost past the last page',
      'return { rows, total }',
      'return { rows, total: rows.length === 0 ? 0 : total }',
      'users: the last page holds what is left, and the ones after it nothing',
    ],
    [
      'a list from a cache',
      'await run(\n        Promise.all(',
      'await ((reading) => (globalThis.cached ??= reading))(\n        Promise.all(',
      'users: a record is listed as soon as it is written',
    ],
    [
      'a record from a cache',
      'await run(table.findUnique({ where: { id } }))',
      '((globalThis.seen ??= {})[id] ??= await run(table.findUnique({ where: { id } })))',
      'two processes on one database serve the same records, and both write at once',
    ],
    [
      'ids counted and not drawn',
      'table.create({ data })',
      `table.count().then(async (n) => { ${pause}; return table.create({ data: { ...data, id: n + 1 } }) })`,
      'users: fifty creates at once make fifty records',
    ],
    [
      'PUT resets what is not sent',
      'table.update({ where: { id }, data })',
      "table.update({ where: { id }, data: { name: 'x', email: 'x@example.com', age: 0, ...data } })",
      'users: an update of one field answers 200 with the record, and the rest stays',
    ],
    [
      'an update that writes back what it read',
      'table.update({ where: { id }, data })',
      `table.findUnique({ where: { id } }).then(async (was) => { ${pause}; return table.update({ where: { id }, data: { ...was, ...data } }) })`,
      'users: updates of different fields at once are all kept',
    ],
    [
      'an update that makes what is not there',
      'table.update({ where: { id }, data })',
      "table.upsert({ where: { id }, update: data, create: { name: 'x', email: 'x@example.com', age: 0, ...data, id } })",
      'users: a record deleted while it is updated stays deleted',
    ],
    [
      'an update of every record',
      'table.update({ where: { id }, data })',
      'table.updateMany({ data }).then(() => table.update({ where: { id }, data }))',
      'users: an update changes no other record',
    ],
    [
      'a delete that takes the older ones too',
      'deleteMany({ where: { id } })',
      'deleteMany({ where: { id: { lte: id } } })',
      'users: a delete takes one record and no other',
    ],
    [
      'a delete that deletes nothing',
      'table.deleteMany({ where: { id } })',
      'table.findMany({ where: { id } }).then((rows) => ({ count: rows.length }))',
      'users: a deleted record is gone, from its path and from the list',
    ],
    [
      'a second delete at once is 500',
      'const { count } = await run(table.deleteMany({ where: { id } }))',
      `const count = await table.count({ where: { id } }); ${pause}; if (count > 0) await table.delete({ where: { id } })`,
      'users: of deletes at once one answers 204, the others 204 or 404',
    ],
    [
      'an update in two parts',
      'table.update({ where: { id }, data })',
      'table.update({ where: { id }, data: { ...data, email: undefined } }).then(async () => {\n          const turn = (globalThis.turns = (globalThis.turns ?? 0) + 1)\n          while (turn === 1 && globalThis.turns < 20) await new Promise((resolve) => setTimeout(resolve, 10))\n          return table.update({ where: { id }, data: { email: data.email } })\n        })',
      'users: of updates at once one is kept, whole',
    ],
  ],

  'src/use-cases/user.service.ts': [
    [
      'deleting what is not there is 204',
      'if (!(await repository.remove(id))) absent()',
      'await repository.remove(id)',
      'users: updating or deleting a record that never was is 404 and makes none',
    ],
    [
      'PUT sets created_at anew',
      '{ ...changes, updatedAt: now() }',
      '{ ...changes, createdAt: now(), updatedAt: now() }',
      'users: an update moves updated_at on and leaves created_at',
    ],
    [
      'updated_at frozen',
      '{ ...changes, updatedAt: now() }',
      'changes',
      'users: an update moves updated_at on and leaves created_at',
    ],
    [
      'an absent record is 500',
      "new AppError('not-found', 'user not found')",
      "new Error('user not found')",
      'users: an id that no record has is 404, up to 2^53 - 1',
    ],
  ],

  'src/container.ts': [
    [
      'times in whole seconds',
      'now = () => new Date()',
      'now = () => new Date(Math.floor(Date.now() / 1000) * 1000)',
      'users: timestamps are exact to the millisecond',
    ],
    [
      'times of the wrong time zone',
      'now = () => new Date()',
      'now = () => new Date(Date.now() + 7_200_000)',
      "users: a new record's timestamps are the present",
    ],
  ],

  'src/handlers/user.handler.ts': [
    [
      'a create is 200',
      'res.status(201).json',
      'res.json',
      'users: a create answers 201 with the record',
    ],
    [
      'a delete is 200',
      'res.status(204).end()',
      'res.json({})',
      'users: a deleted record is gone, from its path and from the list',
    ],
    [
      'a 204 with a body',
      'res.status(204).end()',
      "res.socket.end('HTTP/1.1 204 No Content\\r\\n\\r\\n{}')",
      'users: a delete answers 204 with nothing after its headers',
    ],
    [
      'another key for the list',
      '{ users: rows',
      '{ data: rows',
      'users: a list has 20 records of the first page when nothing is asked for',
    ],
    [
      'a list that tells more than it documents',
      '.map(toWire), total }',
      '.map(toWire), total, page: 1 }',
      'users: total counts every record, whatever the page',
    ],
    [
      'an update taken for a create',
      'parseChanges(updateUserBody,',
      'parseChanges(createUserBody,',
      'users: an update of one field answers 200 with the record, and the rest stays',
    ],
    [
      'ids taken from the body',
      'parseBody(createUserBody, readOnly, req)',
      '{ ...parseBody(createUserBody, readOnly, req), ...(req.body.id > 0 && { id: req.body.id }) }',
      'users: id, created_at and updated_at in a body are ignored',
    ],
    [
      'a PUT that writes before it validates',
      'const changes = parseChanges(',
      'if (req.body?.name) await service.update(parseId(req), { name: req.body.name })\n      const changes = parseChanges(',
      'users: a body with one fault changes nothing',
    ],
    [
      'a method that is served and not documented',
      '.put(jsonBody,',
      '.patch((_req, res) => res.json({}))\n    .put(jsonBody,',
      'a method that a documented path does not document is 405',
    ],
  ],

  'src/handlers/user.schema.ts': [
    [
      'zero refused as missing',
      'age: integer(),',
      "age: integer().refine(Boolean, 'is required'),",
      'users: zero is a value, in a create and in an update',
    ],
    [
      'numbers taken from text',
      'age: integer(),',
      'age: z.coerce.number().int(),',
      'users: a value of the wrong type is the only one named, in a create',
    ],
    [
      'fractions taken for whole numbers',
      'age: integer(),',
      'age: z.number(),',
      'users: a value of the wrong type is the only one named, in an update',
    ],
    [
      'an e-mail unchecked',
      'email: email(),',
      'email: text(),',
      'users: a malformed e-mail is refused and named',
    ],
    [
      'an e-mail checked too strictly',
      'email: email(),',
      "email: email().regex(/^[a-z]+@/, 'must be lower case'),",
      'users: a well-formed e-mail is accepted',
    ],
    [
      'text trimmed',
      'name: text({ min: 1, max: 255 }),',
      'name: text({ min: 1, max: 255 }).trim(),',
      'users: text of every script reads back as it was sent',
    ],
    [
      'text made safe for HTML',
      'name: user.name,',
      "name: user.name.replaceAll('<', '&lt;'),",
      'users: text that looks like a query, a path or a template is only text',
    ],
    [
      'text cut short in silence',
      'name: text({ min: 1, max: 255 }),',
      'name: z.string().overwrite((name) => name.slice(0, 255)),',
      'users: an empty or a long text is kept whole or refused by name',
    ],
    [
      'unknown fields of a create ignored',
      'z.strictObject({ ...fields })',
      'z.object({ ...fields })',
      'users: an unknown field is 400 and named, in a create and in an update',
    ],
    [
      'unknown fields of an update ignored',
      'z.strictObject(fields).partial()',
      'z.object(fields).partial()',
      'users: an unknown field is 400 and named, in a create and in an update',
    ],
    [
      'a PUT that wants all fields',
      'z.strictObject(fields).partial()',
      'z.strictObject(fields)',
      'users: an update of one field answers 200 with the record, and the rest stays',
    ],
    [
      'updated_at refused when it is sent back',
      "['id', 'created_at', 'updated_at']",
      "['id', 'created_at']",
      'users: what was read can be sent back, in a create and in an update',
    ],
    [
      'a key in camelCase',
      'created_at: user.createdAt.toISOString()',
      'createdAt: user.createdAt.toISOString()',
      'users: a create answers 201 with the record',
    ],
    [
      'timestamps without milliseconds',
      'user.createdAt.toISOString()',
      "user.createdAt.toISOString().replace(/\\.\\d+/, '')",
      'users: a create answers 201 with the record',
    ],
    [
      'timestamps without a zone',
      'user.updatedAt.toISOString()',
      "user.updatedAt.toISOString().replace('Z', '')",
      'users: a create answers 201 with the record',
    ],
    [
      'timestamps as numbers',
      'user.createdAt.toISOString()',
      'user.createdAt.getTime()',
      'users: a create answers 201 with the record',
    ],
    [
      'ids as text',
      'id: user.id,',
      'id: String(user.id),',
      'users: a create answers 201 with the record',
    ],
    [
      'a key too many',
      'id: user.id,',
      'id: user.id, _id: user.id,',
      'users: what was created reads back the same, alone and in the list',
    ],
    [
      'a key documented as optional',
      'created_at: z.iso.datetime(),',
      'created_at: z.iso.datetime().optional(),',
      'the documented schemas are no wider than the answers',
    ],
    [
      'a key documented as another type',
      'id: z.int().positive(),',
      'id: z.string(),',
      'answers match the schemas that document them',
    ],
    [
      'numbers through a float',
      'age: user.age,',
      'age: Math.fround(user.age),',
      'users: a whole number is kept exactly or refused by name, however large',
    ],
  ],

  'src/http/fields.ts': [
    [
      'half a surrogate pair let through',
      "value.isWellFormed() && !value.includes('\\0')",
      'true',
      'users: a NUL or half a surrogate pair is kept or refused by name',
    ],
  ],

  'src/http/paging.ts': [
    [
      'pages of 10',
      '.default(20)',
      '.default(10)',
      'users: a list has 20 records of the first page when nothing is asked for',
    ],
    [
      'page_size without a limit',
      'wholeNumber(100)',
      'wholeNumber(Number.MAX_SAFE_INTEGER)',
      'users: page and page_size out of range are 400, and only they are named',
    ],
    [
      'page_size below 100',
      'wholeNumber(100)',
      'wholeNumber(99)',
      'users: a page_size of 1 and one of 100 are in range',
    ],
    [
      'a page 0',
      'value >= 1 && ',
      '',
      'users: page and page_size out of range are 400, and only they are named',
    ],
    [
      'half a page',
      '/^\\d+$/',
      '/./',
      'users: page and page_size out of range are 400, and only they are named',
    ],
  ],

  'src/http/parse.ts': [
    [
      'the first of a repeated parameter taken',
      'return parse(schema, query)',
      'return parse(schema, Object.fromEntries(Object.entries(query).map(([key, value]) => [key, [value].flat()[0]])))',
      'users: a repeated query parameter is 400, even with the same value',
    ],
    [
      'unknown parameters that are 500',
      'return parse(schema, query)',
      "if ('page[]' in query) throw new TypeError('no such parameter')\n  return parse(schema, query)",
      'users: an odd query is passed over or refused',
    ],
    [
      'read-only fields refused',
      '.filter(([key]) => !readOnly.includes(key))',
      '',
      'users: what was read can be sent back, in a create and in an update',
    ],
    [
      'only the first fault reported',
      '[...faults.values()]',
      '[...faults.values()].slice(0, 1)',
      'users: a create without any field names every field',
    ],
    [
      'unknown fields reported as one fault of the body',
      'keys?.map((key) => [...issue.path, key]) ?? [issue.path]',
      '[issue.path]',
      'users: wrong, missing and unknown fields are all named at once',
    ],
    [
      'paths that tell where a field was parsed',
      "paths.map((path) => path.join('.'))",
      "paths.map((path) => ['body', ...path].join('.'))",
      'users: each missing field is the only one named',
    ],
    [
      'an empty PUT accepted',
      'Object.keys(changes).length === 0',
      'Object.keys(changes).length < 0',
      'users: an update without a field to change is 400',
    ],
    [
      'null taken for an object',
      ' || body === null',
      '',
      'users: a JSON body that is not an object is 400',
    ],
    [
      'negative ids that are only absent',
      '/^[1-9]\\d*$/',
      '/^-?\\d+$/',
      'users: the ids abc, 0, -1 and 1.5 are 400',
    ],
    [
      'ids that only begin with a number',
      '/^[1-9]\\d*$/.test(params.id)',
      '/^[1-9]\\d*/.test(params.id)',
      'users: an id that only begins with a number is 400',
    ],
    [
      'numbers in any notation for ids',
      '!/^[1-9]\\d*$/.test(params.id)',
      '!(Number.isInteger(Number(params.id)) && Number(params.id) > 0)',
      'users: another notation of a number reaches no record',
    ],
    [
      'ids past 2^53',
      'if (id > maxId)',
      'if (id > maxId && Number.isSafeInteger(id))',
      'users: an id past 2^53 is 404 or 400',
    ],
    [
      'a body limit of 100 kB',
      "limit: '1mb', ",
      '',
      'users: a body of exactly 1 MiB is read, with and without a declared length',
    ],
    [
      'a body limit of 10 MiB',
      "limit: '1mb'",
      "limit: '10mb'",
      'users: a body over 1 MiB is 413, with and without a declared length',
    ],
    [
      'a body of any type read as JSON',
      "if (req.is('application/json') === false) {",
      "req.headers['content-type'] = 'application/json'\n  if (req.method === 'nothing') {",
      'users: a body that is not declared JSON is 415',
    ],
    [
      'a charset refused',
      "req.is('application/json') === false",
      "req.headers['content-type'] !== 'application/json'",
      'users: application/json is known in any case and with a charset',
    ],
    [
      'read-only fields checked',
      'const sent = Object.entries(body)',
      "if ('id' in body && typeof body.id !== 'number') throw new AppError('invalid', 'bad id')\n  const sent = Object.entries(body)",
      'users: read-only fields are no reason to refuse, and none to accept',
    ],
    [
      'a hundred faults at most',
      '[...faults.values()]',
      '[...faults.values()].slice(0, 100)',
      'users: a deeply nested value and hundreds of unknown fields are plain faults',
    ],
    [
      '__proto__ lost on the way',
      'Object.fromEntries(sent)',
      'Object.assign({}, Object.fromEntries(sent))',
      'users: __proto__, constructor and toString are unknown fields like any other',
    ],
    [
      'a compressed body inflated whole',
      '  parseJson(req, res, next)',
      "  if (req.headers['content-encoding'] !== 'gzip') return parseJson(req, res, next)\n  const chunks = []\n  const { createGunzip } = process.getBuiltinModule('node:zlib')\n  const inflated = req.pipe(createGunzip()).on('data', (chunk) => chunks.push(chunk))\n  inflated.on('end', () => next(void (req.body = JSON.parse(Buffer.concat(chunks)))))",
      'users: a compressed body is no way round the limit',
    ],
  ],

  'src/http/errors.ts': [
    [
      'what is not found is 500',
      "'not-found': 404",
      "'not-found': 500",
      'an unknown path is 404 with a JSON error, whatever the method and the Accept header',
    ],
    [
      'an error with a key too many',
      'return { status: statusOf[kind], error: message,',
      'return { status: statusOf[kind], message, error: message,',
      'an unknown path is 404 with a JSON error, whatever the method and the Accept header',
    ],
    [
      'no details',
      '...(details && { details })',
      '',
      'users: a create without any field names every field',
    ],
    [
      'a stack in a 400',
      'return { status: statusOf[kind], error: message,',
      'return { status: statusOf[kind], error: String(error.stack),',
      'users: the ids abc, 0, -1 and 1.5 are 400',
    ],
    [
      'a stack in a 500',
      "{ status: 500, error: 'internal error' }",
      '{ status: 500, error: String((error as Error).stack) }',
      'a store that fails is a 500 or 503 that tells nothing, and the process goes on',
    ],
    [
      "the store's own message in a 500",
      "{ status: 500, error: 'internal error' }",
      '{ status: 500, error: (error as Error).message }',
      'a store that fails is a 500 or 503 that tells nothing, and the process goes on',
    ],
    [
      'bad JSON is 500',
      'error.status >= 400 &&',
      'error.status > 400 &&',
      'users: a body that is not JSON text is 400',
    ],
    [
      'a large body is 500',
      'error.status < 500',
      'error.status !== 413',
      'users: a body over 1 MiB is 413, with and without a declared length',
    ],
    [
      'a charset that is not known is 500',
      'error.status < 500',
      'error.status !== 415',
      "users: bytes or charsets that are not UTF-8 are the client's fault",
    ],
    [
      'a path that is badly encoded is 500',
      "'status' in error)) return false",
      "'type' in error)) return false",
      'a path that is badly encoded or climbs is 400 or 404',
    ],
    [
      'Allow missing',
      "'Allow'",
      "'X-Allow'",
      'a method that is not served is 405, and Allow lists exactly what is',
    ],
    [
      'Allow incomplete',
      "filter((method) => !method.startsWith('_'))",
      "filter((method) => !method.startsWith('_')).slice(0, 1)",
      'a method that is not served is 405, and Allow lists exactly what is',
    ],
    [
      '405 as 404',
      "res.status(405).json({ error: 'method not allowed' })",
      "res.status(404).json({ error: 'no such path' })",
      'a method that is not served is 405, and Allow lists exactly what is',
    ],
    [
      'an error that closes the connection',
      'res.status(status).json(body)',
      "res.set('Connection', 'close').status(status).json(body)",
      'users: a connection goes on serving after a refused body',
    ],
  ],

  'src/http/security-headers.ts': [
    [
      'content types to be guessed',
      "  ['X-Content-Type-Options', 'nosniff'],\n",
      '',
      'every answer forbids guessing its content type',
    ],
    [
      'framing allowed',
      'res.setHeaders(headers)',
      "res.setHeaders(headers)\n  res.removeHeader('X-Frame-Options')\n  res.removeHeader('Content-Security-Policy')",
      'every answer forbids framing',
    ],
    [
      'referrers sent',
      "  ['Referrer-Policy', 'no-referrer'],\n",
      '',
      'every answer sends no referrer on',
    ],
  ],

  'src/http/request-log.ts': [
    [
      'no request id in the answer',
      "res.setHeader('X-Request-Id', requestId)",
      '',
      'every answer has the id of its request: the one it brought, or one of its own',
    ],
    [
      'the request id that was given passed over',
      "givenId(req.headers['x-request-id']) ?? randomUUID()",
      'randomUUID()',
      'the id that a request brings is the one in its line',
    ],
    [
      'one request id for all',
      'randomUUID()',
      "'00000000-0000-4000-8000-000000000000'",
      'every answer has the id of its request: the one it brought, or one of its own',
    ],
    [
      'no request id in the log',
      'logger.info({ requestId, method',
      'logger.info({ method',
      'every line of the log is JSON, and each request has one, with an id of its own',
    ],
    [
      'requests that are not logged',
      "res.once('close'",
      "res.once('never'",
      'every line of the log is JSON, and each request has one, with an id of its own',
    ],
    [
      'a request that is logged twice',
      "res.once('close', () => {",
      "for (const event of ['finish', 'close']) res.once(event, () => {",
      'every line of the log is JSON, and each request has one, with an id of its own',
    ],
    [
      'headers in the log',
      'logger.info({ requestId, method',
      'logger.info({ requestId, headers: req.headers, method',
      'the log tells no credential',
    ],
  ],

  'src/infra/logger.ts': [
    [
      'a log that is not JSON',
      'timestamp: pino.stdTimeFunctions.isoTime })',
      "timestamp: pino.stdTimeFunctions.isoTime }, { write: (line) => process.stdout.write(line.replaceAll('\"', '')) })",
      'every line of the log is JSON, and each request has one, with an id of its own',
    ],
  ],

  'src/http/openapi.ts': [
    [
      'a path that is not documented',
      "Object.assign({ '/health': health }, ...docs",
      'Object.assign({}, ...docs',
      'openapi.json documents every route of the contract',
    ],
    [
      'a path that is documented and not served',
      "Object.assign({ '/health': health }, ...docs",
      "Object.assign({ '/health': health, '/metrics': health }, ...docs",
      'every documented operation is served',
    ],
    [
      'an older version of OpenAPI',
      "openapi: '3.1.0'",
      "openapi: '3.0.3'",
      'openapi.json is a valid OpenAPI 3.1 document',
    ],
  ],

  'src/http/crud-doc.ts': [
    [
      'two operations of one name',
      'operationId: `list',
      'operationId: `get',
      'openapi.json is a valid OpenAPI 3.1 document',
    ],
    [
      'page_size documented without its limit',
      'minimum: 1, maximum: 100, default: 20',
      'minimum: 1, default: 20',
      'the parameters of lists and records are documented with their ranges',
    ],
    [
      'a body documented as anything',
      'accepting(jsonSchema(create), readOnly)',
      "{ type: 'object' }",
      'the documented request bodies fit what is accepted, and not what is refused',
    ],
    [
      'a 404 that is not documented',
      ", 404: failure('No such record') }",
      ' }',
      'answers match the schemas that document them',
    ],
    [
      'a route that is served and not documented',
      '        delete: {\n          summary',
      '        trace: {\n          summary',
      'openapi.json documents every route of the contract',
    ],
  ],

  'src/app.ts': [
    ['a banner', "  app.disable('x-powered-by')\n", '', 'no answer names the framework'],
    [
      'headers on the API alone',
      'app.use(requestLog(logger), securityHeaders)',
      "app.use(requestLog(logger))\n  app.use('/api/v1', securityHeaders)",
      'every answer forbids framing',
    ],
    [
      '404 in HTML',
      'app.use(notFound, errorHandler(logger))',
      'app.use(errorHandler(logger))',
      'an unknown path is 404 with a JSON error, whatever the method and the Accept header',
    ],
    [
      'errors in HTML',
      'app.use(notFound, errorHandler(logger))',
      'app.use(notFound)',
      'users: a body that is not JSON text is 400',
    ],
    [
      'a health that tells more',
      "{ status: 'ok', timestamp:",
      "{ status: 'ok', uptime: process.uptime(), timestamp:",
      'health answers a status of ok and a timestamp, and nothing else',
    ],
    [
      'a health of another word',
      "status: 'ok'",
      "status: 'healthy'",
      'health answers a status of ok and a timestamp, and nothing else',
    ],
    [
      'a health with an epoch',
      'new Date().toISOString()',
      'Date.now()',
      'the timestamp of health is the present instant, in ISO 8601 UTC',
    ],
    [
      'a health that is not 405 for POST',
      'toISOString() })\n    })\n    .all(methodNotAllowed)',
      'toISOString() })\n    })',
      'a method that is not served is 405, and Allow lists exactly what is',
    ],
    [
      'no openapi.json',
      ".route('/openapi.json')",
      ".route('/docs/openapi.json')",
      'openapi.json is a valid OpenAPI 3.1 document',
    ],
    [
      'HEAD refused',
      "  app.use('/api/v1', createRoutes(container))",
      "  app.head('/api/v1/users', methodNotAllowed)\n  app.use('/api/v1', createRoutes(container))",
      'HEAD answers like GET, without a body',
    ],
    [
      'a 404 that closes the connection',
      'app.use(notFound,',
      "app.use((_req, res, next) => next(void res.set('Connection', 'close')), notFound,",
      'requests sent in one go on one connection are answered in their order',
    ],
  ],

  'src/config.ts': [
    [
      'only the first bad setting named',
      'result.error.issues.map(',
      'result.error.issues.slice(0, 1).map(',
      'settings that are wrong are all named at once, with exit 1 and no stack',
    ],
    [
      'values of settings shown',
      "this.name = 'ConfigError'",
      "this.name = 'ConfigError'\n    this.message += process.env.DATABASE_URL",
      'settings that are wrong are all named at once, with exit 1 and no stack',
    ],
    [
      'a port past 65535',
      ".refine((port) => port <= 65535, 'must be at most 65535')",
      '.transform((port) => port % 65536)',
      'a PORT that is no port is refused at the start',
    ],
    [
      'a log level that is set and not read',
      'logLevel: LOG_LEVEL',
      "logLevel: 'info'",
      'a LOG_LEVEL of error leaves out the lines of requests',
    ],
  ],

  'src/infra/libsql.ts': [
    [
      'writes that are never committed',
      'PRAGMA foreign_keys = ON',
      'PRAGMA foreign_keys = ON; BEGIN',
      'what was answered outlives a kill -9',
    ],
    [
      'writes that do not wait for each other',
      'if (!isBusy(error)) throw error',
      'throw error',
      'a write waits for the write of another process',
    ],
  ],

  'src/infra/store.ts': [
    [
      'a database that is made anew',
      '  mkdirSync(dirname',
      "  process.getBuiltinModule('node:fs').rmSync(databaseUrl.slice('file:'.length), { force: true })\n  mkdirSync(dirname",
      'a restart keeps the records, and goes on with their ids',
    ],
  ],

  'prisma/migrations/0001_create_users/migration.sql': [
    [
      'an e-mail that must be unique',
      '"email" TEXT NOT NULL',
      '"email" TEXT NOT NULL UNIQUE',
      'users: two may have the same e-mail',
    ],
    [
      'ids that come again',
      'PRIMARY KEY AUTOINCREMENT',
      'PRIMARY KEY',
      'users: the id of a deleted record does not come again',
    ],
  ],

  'src/main.ts': [
    [
      'no graceful stop',
      "  process.on('SIGTERM', stop)\n",
      '',
      'SIGTERM lets a request in hand finish, keeps what it wrote, and exits 0',
    ],
    [
      'requests in hand cut off',
      'await stopServer(server, graceMs)',
      'server.close()',
      'SIGTERM lets a request in hand finish, keeps what it wrote, and exits 0',
    ],
    [
      'a second signal that ends at once',
      'if (isStopping) return',
      'if (isStopping) process.exit(0)',
      'a second SIGTERM cuts no request off',
    ],
    [
      'a stack for a port that is taken',
      'throw new ConfigError([',
      'throw new Error([',
      'a PORT that somebody listens on is refused at the start',
    ],
    [
      'a stop that exits 1',
      'process.exit(0)',
      'process.exit(1)',
      'an idle keep-alive connection does not hold the exit',
    ],
    [
      'a stop that waits for ever',
      'const graceMs = 8_000',
      'const graceMs = 60_000',
      'a silent connection and a request that never ends hold the exit ten seconds at most',
    ],
    [
      'bad settings that exit 0',
      'process.exit(1)',
      'process.exit(0)',
      'settings that are wrong are all named at once, with exit 1 and no stack',
    ],
    [
      'a stack for bad settings',
      '  if (!(error instanceof ConfigError',
      '  throw error\n  if (!(error instanceof ConfigError',
      'settings that are wrong are all named at once, with exit 1 and no stack',
    ],
    [
      'a HOST that is not listened to',
      'server.listen(port, host)',
      'server.listen(port)',
      'HOST is the only address it listens on',
    ],
    [
      'a greeting in the log',
      "logger.info({ host: config.host, port: config.port }, 'listening')",
      "console.log('listening on', config.port)",
      'every line of the log is JSON, and each request has one, with an id of its own',
    ],
    [
      'a client that talks nonsense ends the process',
      'await listen(server, config)',
      "server.on('clientError', (error) => { throw error })\n  await listen(server, config)",
      'users: a client that hangs up or talks nonsense harms nobody',
    ],
  ],
}

/** Broken versions of `examples/user-app`: each must be noticed by the check it names. */
export const userAppMutants: readonly SourceMutant[] = mutantsOf(edits)
