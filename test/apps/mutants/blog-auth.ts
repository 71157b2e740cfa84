import { type Edits, pause } from './edits.ts'

const used = 'a used e-mail is 409 "email already registered", in any case of its letters'
const asked = 'every protected route without a credential is 401 "Authorization header required"'
const format = 'what is not "Bearer <token>" is 401 "Invalid authorization format"'
const named = 'registering names every field that is missing or wrong, and no other'
const signed = 'of tokens signed with the right secret only whole ones in HS256 pass'
const claims = 'a token is an HS256 JWT with user_id, email, iat and an exp 24 hours later'
const whole = 'every character of a password counts, or the password is refused'
const lengths = 'a name needs two characters, and a password eight'

/** Registering, logging in, tokens and the header they come in. */
export const blogAuthEdits: Edits = {
  'src/use-cases/auth.service.ts': [
    ['a used e-mail in other words', "'email already registered'", "'e-mail taken'", used],
    [
      'a used e-mail is 400',
      "throw new AppError('conflict',",
      "throw new AppError('invalid',",
      used,
    ],
    ['e-mails kept in the case they came in', 'email: email.toLowerCase(),', 'email,', used],
    [
      'e-mails looked up in the case they came in',
      'users.findByEmail(email.toLowerCase())',
      'users.findByEmail(email)',
      'login knows an e-mail in any case of its letters',
    ],
    [
      'an unknown e-mail told from a wrong password',
      'const isRight =',
      "if (!user) throw new AppError('unauthenticated', 'unknown user')\n      const isRight =",
      'an unknown e-mail and a wrong password get the same answer',
    ],
    [
      'an unknown e-mail is 404',
      "throw new AppError('unauthenticated', 'invalid",
      "throw new AppError(user ? 'unauthenticated' : 'not-found', 'invalid",
      'an unknown e-mail and a wrong password get the same answer',
    ],
    ['the end of a long password ignored at login', ' && isHashable(password)', '', whole],
    [
      'every password right',
      'if (user && isRight &&',
      'if (user &&',
      'a password that is nearly right is wrong',
    ],
    [
      'every token for the first user',
      'tokens.issue({ id: user.id,',
      'tokens.issue({ id: 1,',
      'a token speaks for its own user, and a later one does not end it',
    ],
    [
      'one session a user',
      'return { token: tokens.issue({ id: user.id, email: user.email }), user }',
      `const token = tokens.issue({ id: user.id, email: \`\${user.email} \${Math.random()}\` })\n    ;(globalThis.sessions ??= {})[user.id] = token\n    const { verify } = tokens\n    tokens.verify = (given) => { const caller = verify(given); return caller && globalThis.sessions[caller.id] === given ? caller : undefined }\n    return { token, user }`,
      'a token speaks for its own user, and a later one does not end it',
    ],
  ],

  'src/repositories/user.repository.prisma.ts': [
    [
      'a second registration takes the e-mail over',
      'return run(table.create({ data }), unique)',
      'return run(table.upsert({ where: { email: data.email }, create: data, update: data }), unique)',
      'the one who registered first keeps the e-mail and the password',
    ],
    [
      'a used e-mail looked for before the writing alone',
      'return run(table.create({ data }), unique)',
      `const { email } = data; const taken = await table.findUnique({ where: { email } }); ${pause}; return taken ? run(table.create({ data }), unique) : table.upsert({ where: { email }, create: data, update: {} })`,
      'of fifty registrations of one e-mail at once exactly one succeeds',
    ],
    [
      'an e-mail matched as a pattern',
      'table.findUnique({ where: { email } })',
      'table.findFirst({ where: { email: { contains: email } } })',
      'an e-mail is compared and not matched as a pattern',
    ],
  ],

  'prisma/migrations/0001_create_users/migration.sql': [
    ['e-mails not unique in the store', 'CREATE UNIQUE INDEX', 'CREATE INDEX', used],
  ],

  'src/infra/passwords.ts': [
    [
      'a password without the spaces around it',
      'bcrypt.compare(password,',
      'bcrypt.compare(password.trim(),',
      'a password that is nearly right is wrong',
    ],
    [
      'a password of which the first eight characters count',
      'createPasswords(cost = defaultCost) {',
      'createPasswords(cost = defaultCost) {\n  const { hash: whole, compare } = bcrypt\n  bcrypt.hash = (password, rounds) => whole(password.slice(0, 8), rounds)\n  bcrypt.compare = (password, known) => compare(password.slice(0, 8), known)',
      whole,
    ],
  ],

  'src/handlers/auth.schema.ts': [
    ['a name of one character', 'text({ min: 2,', 'text({ min: 1,', lengths],
    ['a password of six characters', 'text({ min: 8,', 'text({ min: 6,', lengths],
    [
      'a password that need not be',
      'password: text({ min: 8,',
      'password: z.string().optional(), passwords: text({ min: 8,',
      named,
    ],
    [
      'a name that need not be',
      'name: text({ min: 2, max: 255 }),',
      'name: text({ min: 2, max: 255 }).optional(),',
      named,
    ],
    ['a role in a registration', 'registerBody = z.strictObject', 'registerBody = z.object', named],
    ['any e-mail', 'email: email(),', 'email: text(),', 'a malformed e-mail does not register'],
    [
      'a password longer than what is hashed',
      'text({ min: 8, max: maxPasswordBytes }).refine(\n    isHashable,',
      'text({ min: 8 }).refine(\n    () => true,',
      whole,
    ],
    [
      'what login does not know ignored',
      'loginBody = z.strictObject',
      'loginBody = z.object',
      'login names every field that is missing, wrong or unknown',
    ],
    [
      'a login in which a NUL gets to the store',
      'password: text({ min: 1 }),',
      'password: z.string().min(1).transform((password) => password.split("\\0")[0]),',
      'a login with odd texts is 401 or 400',
    ],
    [
      'a user with his hash',
      "toWire({ token, user: { id, name, email } }: Session): AuthApi['reply'] {\n  return { token, user: { id, name, email } }",
      'toWire({ token, user }) {\n  return { token, user }',
      'no answer holds a password or a hash of one',
    ],
    [
      'a user with his time of registration',
      'return { token, user: { id, name, email } }',
      "return { token, user: { id, name, email, created_at: '2026-01-01' } }",
      'registering answers 201 with a token and the user, and nothing else',
    ],
    [
      'a registration documented without its limits',
      'RegisterInput: jsonSchema(registerBody)',
      "RegisterInput: { type: 'object' }",
      'the bodies of registration and login are documented with their limits',
    ],
    [
      'a used e-mail not documented',
      "409: failure('The e-mail address is already registered'),",
      '',
      'the answers of the blog match the schemas that document them',
    ],
  ],

  'src/handlers/auth.handler.ts': [
    [
      'a registration is 200',
      'res.status(201).json',
      'res.json',
      'registering answers 201 with a token and the user, and nothing else',
    ],
    [
      'a login is 201',
      'res.json(toWire(await',
      'res.status(201).json(toWire(await',
      'login answers 200 with a token and the user who registered',
    ],
    [
      'a form logs in',
      ".route('/login')\n    .post(jsonBody,",
      ".route('/login')\n    .post(async (req, res, next) => { if (req.is('json')) return jsonBody(req, res, next); req.body = {}; next() },",
      'what is no JSON object neither registers nor logs in',
    ],
  ],

  'src/infra/tokens.ts': [
    ['tokens for a week', '24 * 60 * 60', '7 * 24 * 60 * 60', claims],
    ['tokens without an e-mail', 'user_id: id, email, iat', 'user_id: id, iat', claims],
    ['tokens with another claim', '{ user_id: id,', "{ role: 'user', user_id: id,", claims],
    ['tokens with the id as text', 'user_id: id,', 'user_id: String(id),', claims],
    ['tokens in HS512', "algorithm = 'HS256'", "algorithm = 'HS512'", claims],
    [
      'tokens in any HMAC',
      'algorithms: [algorithm]',
      "algorithms: ['HS256', 'HS384', 'HS512']",
      signed,
    ],
    ['tokens that never expire', 'exp: z.int(),', 'exp: z.int().optional(),', signed],
    [
      'a user_id of any type',
      'user_id: z.int32().positive()',
      'user_id: z.coerce.number()',
      signed,
    ],
    ['an e-mail of any type', 'email: z.string().min(1)', 'email: z.any()', signed],
    [
      'a token that is read and not verified',
      'jwt.verify(token, key, {',
      'jwt.decode(token, {',
      'a token that was changed is refused',
    ],
    [
      'a token that says it has no signature',
      'return jwt.verify(',
      "const { header } = jwt.decode(token, { complete: true })\n      if (header.alg.toLowerCase() === 'none') return jwt.decode(token)\n      return jwt.verify(",
      'a token without a signature is refused, whatever it calls its algorithm',
    ],
    [
      'a second secret in the code',
      '    } catch {',
      "    } catch {\n      try { return jwt.verify(token, 'changeme', { algorithms: [algorithm] }) } catch {}",
      'a token signed with another secret or a key pair is refused',
    ],
    [
      'what is no token is 500',
      'return undefined\n    }',
      "throw new Error('no token')\n    }",
      'what is no token is "Invalid token"',
    ],
    [
      'expiry ignored',
      'algorithms: [algorithm],',
      'algorithms: [algorithm], ignoreExpiration: true,',
      'an expired token is refused, and one that expires soon is not',
    ],
    [
      'expiry an hour late',
      'clockTimestamp: seconds()',
      'clockTimestamp: seconds() - 3600',
      'an expired token is refused, and one that expires soon is not',
    ],
    [
      'a secret of each process',
      '  const seconds =',
      '  key = crypto.randomUUID()\n  const seconds =',
      'users and their tokens outlive a restart, and no token another secret',
    ],
  ],

  'src/http/auth.ts': [
    ['a missing header in other words', "'Authorization header required'", "'Unauthorized'", asked],
    ['a wrong header in other words', "'Invalid authorization format'", "'Invalid token'", format],
    ['bearer in any case', "scheme !== 'Bearer'", '!/^bearer$/i.test(scheme)', format],
    ['any scheme', "scheme !== 'Bearer' || ", '', format],
    ['what comes after the token ignored', ' || rest.length > 0', '', format],
    ['any white space between the two parts', "header.split(' ')", 'header.split(/\\s+/)', format],
    [
      'an empty header is 500',
      'if (!header) throw',
      "if (header === '') throw new Error('no header')\n  if (!header) throw",
      'an empty Authorization header is 401',
    ],
    [
      'a bad token in other words',
      "'Invalid token'",
      "'jwt malformed'",
      'every protected route with a bad token is 401 "Invalid token"',
    ],
    [
      'a bad token passed over',
      "if (!caller) throw new AppError('unauthenticated'",
      "if (!caller && req.method === 'DELETE') return next()\n  if (!caller) throw new AppError('unauthenticated'",
      'every protected route with a bad token is 401 "Invalid token"',
    ],
    [
      'callers who may not read',
      '  res.locals.caller = caller',
      "  if (req.method === 'GET') throw new AppError('forbidden', 'for editors')\n  res.locals.caller = caller",
      'every protected route lets a caller in',
    ],
    [
      'a token in the query',
      'tokenOf(req.headers.authorization)',
      'req.query.token ?? tokenOf(req.headers.authorization)',
      'a token counts in its header and nowhere else',
    ],
    [
      'a token in a cookie',
      'tokenOf(req.headers.authorization)',
      "/token=([^;]+)/.exec(req.headers.cookie ?? '')?.[1] ?? tokenOf(req.headers.authorization)",
      'a token counts in its header and nowhere else',
    ],
    [
      'a token in another header',
      'tokenOf(req.headers.authorization)',
      "req.headers['x-access-token'] ?? tokenOf(req.headers.authorization)",
      'a token counts in its header and nowhere else',
    ],
  ],

  'src/http/errors.ts': [
    ['no credential is 403', 'unauthenticated: 401', 'unauthenticated: 403', asked],
    [
      'an incomplete post is 400',
      'unprocessable: 422',
      'unprocessable: 400',
      'publishing a post without content is 422 "cannot publish incomplete post"',
    ],
    [
      'a taken slug is 400',
      'conflict: 409',
      'conflict: 400',
      'a taken slug is 409, sent or made from the name, and makes nothing',
    ],
    [
      'another’s record is 404',
      'forbidden: 403',
      'forbidden: 404',
      "posts: another's update or delete is 403 and changes nothing",
    ],
  ],

  'src/routes.ts': [
    [
      'a list of users',
      "api.use('/tags'",
      "api.get('/users', (_req, res) => { res.json({ users: [] }) })\n  api.use('/tags'",
      'there is no list of users, and none can be read or changed',
    ],
    [
      'tokens known by the routes of posts alone',
      '  api.use(identify(container.auth.identify))\n',
      "  api.use('/posts', identify(container.auth.identify))\n",
      'every protected route lets a caller in',
    ],
  ],

  'src/http/parse.ts': [
    [
      'a refusal that says what was sent',
      "'validation failed', { details: toFaults",
      `\`validation failed: \${JSON.stringify(value)}\`, { details: toFaults`,
      'no answer holds a password or a hash of one',
    ],
    [
      'the first of a repeated filter taken',
      'return parse(schema, query)',
      'return parse(schema, Object.fromEntries(Object.entries(query).map(([key, value]) => [key, [value].flat()[0]])))',
      'a filter that is out of its range, or comes twice, is 400 and named',
    ],
    [
      'an update without a field to change',
      'if (Object.keys(changes).length === 0) {',
      'if (false) {',
      'views and comments in the body of a post are ignored, and are no change',
    ],
    [
      'an id that only begins with a number published',
      '/^[1-9]\\d*$/',
      '/^[1-9]/',
      'publish wants an id like any other path',
    ],
  ],
}
