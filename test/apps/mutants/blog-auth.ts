import { type Edits, pause } from './edits.ts'

const used = 'a duplicate e-mail answers 409 "email already registered" in any case'
const asked =
  'every protected route without a credential answers 401 "Authorization header required"'
const format =
  'an Authorization header other than "Bearer <token>" answers 401 "Invalid authorization format"'
const named = 'registration names exactly the missing and invalid fields'
const signed = 'a token with the right secret is accepted only with all claims and HS256'
const absent = 'a token of an absent user answers "Invalid token" everywhere'
const claims = 'a token is an HS256 JWT with user_id, email, iat and an exp 24 hours later'
const whole = 'every character of a password counts, or the password is rejected'
const lengths = 'a name has at least two characters and a password eight'

const read = 'the caller reads id, name, e-mail, role and creation time of the account'
const logout = 'logging out ends its token, and no other token of the user'
const everywhere = 'logging out everywhere ends every token of the user, and of no other user'
const changed = 'changing the password ends every token of the user but the one that changed it'

/** Mutants of registration, login, tokens and the Authorization header. */
export const blogAuthEdits: Edits = {
  'src/use-cases/auth.service.ts': [
    [
      'a duplicate e-mail gets another message',
      "'email already registered'",
      "'e-mail taken'",
      used,
    ],
    [
      'a duplicate e-mail answers 400',
      "throw new AppError('conflict',",
      "throw new AppError('invalid',",
      used,
    ],
    [
      'registration stores an e-mail without lower-casing it',
      'email: email.toLowerCase(),',
      'email,',
      used,
    ],
    [
      'login looks up an e-mail without lower-casing it',
      'users.findByEmail(email.toLowerCase())',
      'users.findByEmail(email)',
      'login accepts an e-mail in any case',
    ],
    [
      'login distinguishes an unknown e-mail from a wrong password',
      'const isRight =',
      "if (!user) throw new AppError('unauthenticated', 'unknown user')\n      const isRight =",
      'an unknown e-mail and a wrong password get the same response',
    ],
    [
      'login with an unknown e-mail answers 404',
      "throw new AppError('unauthenticated', 'invalid",
      "throw new AppError(user ? 'unauthenticated' : 'not-found', 'invalid",
      'an unknown e-mail and a wrong password get the same response',
    ],
    [
      'logging out ends all tokens',
      'withoutToken(user, token, seconds)',
      'withoutTokens(user)',
      logout,
    ],
    [
      'logging out everywhere keeps the token of the request',
      '(user) => withoutTokens(user))',
      '(user, own) => withoutTokens(user, own))',
      everywhere,
    ],
    [
      'tokens outlive the password',
      '{ passwordHash, ...withoutTokens(user, kept) }',
      '{ passwordHash }',
      changed,
    ],
    [
      'changing the password ends the token of the request',
      'withoutTokens(user, kept)',
      'withoutTokens(user)',
      changed,
    ],
    [
      'changing the password needs no password',
      'await withPassword(user, current)\n',
      '\n',
      'changing the password needs the current one, and a next one of eight characters',
    ],
    [
      'deleting the account needs no password',
      'await withPassword(user, password)\n      await users',
      'await users',
      'deleting the account needs the password',
    ],
    [
      'a deleted account stays',
      'await users.remove(user.id)',
      '',
      'a deleted user is gone, and a new user with the same e-mail is another user',
    ],
    ['login accepts a password longer than bcrypt hashes', ' && isHashable(form)', '', whole],
    [
      'login accepts every password',
      'if (user && isRight &&',
      'if (user &&',
      'a password that differs slightly is rejected',
    ],
    [
      'every token names the first user',
      'tokens.issue(user)',
      'tokens.issue({ ...user, id: 1 })',
      'a token identifies its own user, and a later token does not end it',
    ],
    [
      'a new token ends the earlier session of the user',
      'return { token: tokens.issue(user), user }',
      `const token = tokens.issue(user)\n    ;(globalThis.sessions ??= {})[user.id] = token\n    const { verify } = tokens\n    tokens.verify = (given) => { const known = verify(given); return known && globalThis.sessions[known.userId] === given ? known : undefined }\n    return { token, user }`,
      'a token identifies its own user, and a later token does not end it',
    ],
    [
      'a token of an absent user is accepted',
      'if (!user || !isValid(token, user))',
      "if (token && !user) return { token, user: { id: token.userId, email: 'x', role: 'user' } }\n    if (!user || !isValid(token, user))",
      absent,
    ],
    [
      'an invalid token gets another message',
      "'Invalid token'",
      "'jwt malformed'",
      'every protected route with an invalid token answers 401 "Invalid token"',
    ],
  ],

  'src/domain/user.ts': [
    [
      'passwords are compared as they were typed',
      "password.normalize('NFKC')",
      'password',
      'a password is the same in composed and decomposed letters',
    ],
    ['a log-out forgets earlier ones', 'each.split(', "'x'.split(", logout],
  ],

  'src/repositories/user.repository.prisma.ts': [
    [
      'a log-out overwrites concurrent ones',
      'const where = { id, tokenVersion, revokedTokens }',
      `${pause}\n      const where = { id }`,
      'tokens of one user that log out at once all end',
    ],
    [
      'a second registration replaces the first user',
      'table.create({ data })',
      'table.upsert({ where: { email: data.email }, create: data, update: data })',
      'a duplicate registration does not change the first user',
    ],
    [
      'registration of a taken e-mail returns the user that has it',
      'return toDomain(await run(table.create({ data }), unique))',
      'return toDomain(await table.upsert({ where: { email: data.email }, create: data, update: {} }))',
      'exactly one of fifty concurrent registrations of one e-mail succeeds',
    ],
    [
      'login matches an e-mail as a substring',
      'table.findUnique({ where: { email } })',
      'table.findFirst({ where: { email: { contains: email } } })',
      'login compares an e-mail literally, not as a pattern',
    ],
  ],

  'prisma/migrations/0001_create_users/migration.sql': [
    ['the store has no unique index on e-mails', 'CREATE UNIQUE INDEX', 'CREATE INDEX', used],
  ],

  'src/infra/passwords.ts': [
    [
      'login trims the password',
      'bcrypt.compare(password,',
      'bcrypt.compare(password.trim(),',
      'a password that differs slightly is rejected',
    ],
    [
      'only the first eight characters of a password count',
      'createPasswords(cost = defaultCost) {',
      'createPasswords(cost = defaultCost) {\n  const { hash: whole, compare } = bcrypt\n  bcrypt.hash = (password, rounds) => whole(password.slice(0, 8), rounds)\n  bcrypt.compare = (password, known) => compare(password.slice(0, 8), known)',
      whole,
    ],
  ],

  'src/handlers/auth.schema.ts': [
    ['a name of one character is accepted', 'text({ min: 2,', 'text({ min: 1,', lengths],
    ['a password of six characters is accepted', 'text({ min: 8,', 'text({ min: 6,', lengths],
    [
      'registration does not require a password',
      'password: newPassword })',
      'password: newPassword.optional() })',
      named,
    ],
    [
      'registration does not require a name',
      'name: text({ min: 2, max: 255 }),',
      'name: text({ min: 2, max: 255 }).optional(),',
      named,
    ],
    [
      'registration ignores unknown fields',
      'registerBody = z\n  .strictObject',
      'registerBody = z\n  .object',
      named,
    ],
    [
      'registration accepts any text as e-mail',
      'email: email(),',
      'email: text(),',
      'registration rejects a malformed e-mail',
    ],
    [
      'registration accepts a password longer than bcrypt hashes',
      'text({ min: 8, max: maxPasswordBytes }).refine(\n  (password) => isHashable(normalizePassword(password)),',
      'text({ min: 8 }).refine(\n  () => true,',
      whole,
    ],
    [
      'login ignores unknown fields',
      'loginBody = z\n  .strictObject',
      'loginBody = z\n  .object',
      'login names every missing, invalid or unknown field',
    ],
    [
      'login cuts a password at a NUL character',
      'email: text({ min: 1 }), password: text({ min: 1 })',
      'email: text({ min: 1 }), password: z.string().min(1).transform((password) => password.split("\\0")[0])',
      'a login with unusual texts answers 401 or 400',
    ],
    [
      'a response contains the password hash of the user',
      'toWire({ token, user: { id, name, email } }: Session): z.input<typeof authReply> {\n  return { token, user: { id, name, email } }',
      'toWire({ token, user }) {\n  return { token, user }',
      'no response contains a password or its hash',
    ],
    [
      'the user in a response has a created_at',
      'return { token, user: { id, name, email } }',
      "return { token, user: { id, name, email, created_at: '2026-01-01' } }",
      'registration answers 201 with a token and the user, and nothing else',
    ],
    [
      'a user reads the hash of the password',
      'return { id, name, email, role, created_at',
      'return { id, name, email, role, hash: arguments[0].passwordHash, created_at',
      read,
    ],
    [
      'OpenAPI documents registration without its limits',
      'body: registerBody,',
      'body: z.looseObject({}).register(components, { id: "RegisterInput" }),',
      'the bodies of registration and login are documented with their limits',
    ],
    [
      'OpenAPI lacks the 409 of registration',
      "statuses: [409, 429],\n    }),\n  },\n  '/api/v1/auth/login'",
      "statuses: [429],\n    }),\n  },\n  '/api/v1/auth/login'",
      'the responses of the blog match their documented schemas',
    ],
  ],

  'src/handlers/auth.handler.ts': [
    [
      'registration answers 200',
      'res.status(201).json',
      'res.json',
      'registration answers 201 with a token and the user, and nothing else',
    ],
    [
      'login answers 201',
      'limits.trust(req, res)\n      res.json(',
      'limits.trust(req, res)\n      res.status(201).json(',
      'login answers 200 with a token and the user who registered',
    ],
    [
      'login accepts a form',
      ".route('/login')\n    .post(jsonBody,",
      ".route('/login')\n    .post(async (req, res, next) => { if (req.is('json')) return jsonBody(req, res, next); req.body = {}; next() },",
      'a body that is no JSON object neither registers nor logs in',
    ],
  ],

  'src/http/limits.ts': [
    [
      'guesses at one user are not limited',
      'loginsOfEmail: { limit: 20,',
      'loginsOfEmail: { limit: 20_000,',
      'five hundred guesses at one user are limited, and another user logs in beside them',
    ],
    [
      'a refused log-in does not say when to try again',
      "res.set('Retry-After'",
      "res.set('X-Try-Again'",
      'five hundred guesses at one user are limited, and another user logs in beside them',
    ],
    [
      'guesses use up the attempts of a known user',
      'skip: isKnown,',
      '',
      'five hundred guesses at many users are limited, and a known user logs in beside them',
    ],
  ],

  'src/infra/tokens.ts': [
    ['tokens are valid for a week', '24 * 60 * 60', '7 * 24 * 60 * 60', claims],
    ['tokens contain no e-mail', 'user_id: id, email, iat', 'user_id: id, iat', claims],
    ['tokens contain another claim', '{ user_id: id,', "{ role: 'user', user_id: id,", claims],
    ['tokens contain the id as text', 'user_id: id,', 'user_id: String(id),', claims],
    ['tokens are signed with HS512', "algorithm = 'HS256'", "algorithm = 'HS512'", claims],
    [
      'tokens signed with any HMAC are accepted',
      'algorithms: [algorithm]',
      "algorithms: ['HS256', 'HS384', 'HS512']",
      signed,
    ],
    ['tokens without exp are accepted', 'exp: z.int(),', 'exp: z.int().optional(),', signed],
    [
      'tokens with a user_id of any type are accepted',
      'user_id: z.int32().positive()',
      'user_id: z.coerce.number()',
      signed,
    ],
    [
      'tokens with an e-mail of any type are accepted',
      'email: z.string().min(1)',
      'email: z.any()',
      signed,
    ],
    [
      'tokens are decoded without verification',
      'jwt.verify(token, key, options)',
      'jwt.decode(token, options)',
      'a modified token is rejected',
    ],
    [
      'tokens with the algorithm none are accepted',
      'return jwt.verify(',
      "const decoded = jwt.decode(token, { complete: true })\n      if (decoded.header.alg.toLowerCase() === 'none') return decoded\n      return jwt.verify(",
      'a token without a signature is rejected, whatever algorithm it names',
    ],
    [
      'tokens signed with a hard-coded secret are accepted',
      '    } catch {',
      "    } catch {\n      try { return jwt.verify(token, 'changeme', options) } catch {}",
      'a token signed with another secret or a key pair is rejected',
    ],
    [
      'a malformed token answers 500',
      'return undefined\n    }',
      "throw new Error('no token')\n    }",
      'a malformed token answers "Invalid token"',
    ],
    [
      'expired tokens are accepted',
      'algorithms: [algorithm],',
      'algorithms: [algorithm], ignoreExpiration: true,',
      'an expired token is rejected, and a token that expires soon is accepted',
    ],
    [
      'tokens expire an hour late',
      'clockTimestamp: seconds()',
      'clockTimestamp: seconds() - 3600',
      'an expired token is rejected, and a token that expires soon is accepted',
    ],
    [
      'each process signs with its own random secret',
      '  const seconds =',
      '  key = crypto.randomUUID()\n  const seconds =',
      'users and tokens survive a restart, and a new secret ends all tokens',
    ],
  ],

  'src/http/auth.ts': [
    [
      'a missing Authorization header gets another message',
      "'Authorization header required'",
      "'Unauthorized'",
      asked,
    ],
    [
      'a malformed Authorization header gets another message',
      "'Invalid authorization format'",
      "'Invalid token'",
      format,
    ],
    [
      'the scheme bearer is accepted in any case',
      "scheme !== 'Bearer'",
      '!/^bearer$/i.test(scheme)',
      format,
    ],
    ['any scheme of the Authorization header is accepted', "scheme !== 'Bearer' || ", '', format],
    [
      'text after the token in the Authorization header is ignored',
      ' || rest.length > 0',
      '',
      format,
    ],
    [
      'any white space separates scheme and token',
      "header.split(' ')",
      'header.split(/\\s+/)',
      format,
    ],
    [
      'an empty Authorization header answers 500',
      'if (!header) throw',
      "if (header === '') throw new Error('no header')\n  if (!header) throw",
      'an empty Authorization header answers 401',
    ],
    [
      'DELETE accepts an invalid token',
      'authenticate(tokenOf(req))',
      "authenticate(tokenOf(req)).catch((error) => { if (req.method !== 'DELETE') throw error; return { id: 1 } })",
      'every protected route with an invalid token answers 401 "Invalid token"',
    ],
    [
      'GET answers 403 to callers',
      '    next()\n',
      "    if (req.method === 'GET') throw new AppError('forbidden', 'for editors')\n    next()\n",
      'every protected route accepts a valid token',
    ],
    [
      'a token in the query is accepted',
      'tokenOf(req))',
      'req.query.token ?? tokenOf(req))',
      'a token counts only in the Authorization header',
    ],
    [
      'a token in a cookie is accepted',
      'tokenOf(req))',
      "/token=([^;]+)/.exec(req.headers.cookie ?? '')?.[1] ?? tokenOf(req))",
      'a token counts only in the Authorization header',
    ],
    [
      'a token in the header X-Access-Token is accepted',
      'tokenOf(req))',
      "req.headers['x-access-token'] ?? tokenOf(req))",
      'a token counts only in the Authorization header',
    ],
  ],

  'src/http/errors.ts': [
    [
      'a 401 names no scheme',
      'if (status === 401) {',
      'if (status === 402) {',
      'every 401 names the scheme Bearer in WWW-Authenticate, and a bad token as invalid_token',
    ],
    [
      'a bad token is not named in WWW-Authenticate',
      '\'Bearer error="invalid_token"\'',
      "'Bearer'",
      'every 401 names the scheme Bearer in WWW-Authenticate, and a bad token as invalid_token',
    ],
    ['a missing credential answers 403', 'unauthenticated: 401', 'unauthenticated: 403', asked],
    [
      'publishing an incomplete post answers 400',
      'unprocessable: 422',
      'unprocessable: 400',
      'publishing a post without content answers 422 "cannot publish incomplete post"',
    ],
    [
      'a duplicate slug answers 400',
      'conflict: 409',
      'conflict: 400',
      'a duplicate slug, sent or generated, answers 409 and creates nothing',
    ],
    [
      'changing a record of another user answers 404',
      'forbidden: 403',
      'forbidden: 404',
      'posts: an update or delete by another user answers 403 and changes nothing',
    ],
  ],

  'src/routes.ts': [
    [
      'the route GET /users exists',
      "api.use('/tags'",
      "api.get('/users', (_req, res) => { res.json({ users: [] }) })\n  api.use('/tags'",
      'users can be neither listed nor read nor changed',
    ],
    [
      'the routes of tags reject every token',
      'createTagRouter(container.tags, requireCaller)',
      "createTagRouter(container.tags, (_req, res) => { res.status(401).json({ error: 'Invalid token' }) })",
      'every protected route accepts a valid token',
    ],
  ],

  'src/http/parse.ts': [
    [
      'a validation error repeats the body',
      "'validation failed', { details: toFaults",
      `\`validation failed: \${JSON.stringify(value)}\`, { details: toFaults`,
      'no response contains a password or its hash',
    ],
    [
      'an update without fields is accepted',
      'if (Object.keys(changes).length === 0) {',
      'if (false) {',
      'views and comments in the body of a post are ignored and do not count as a change',
    ],
    [
      'publish accepts an id that starts with a digit',
      '/^[1-9]\\d*$/',
      '/^[1-9]/',
      'publish rejects an invalid id',
    ],
  ],
}
