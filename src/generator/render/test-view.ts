import { type Access, accessOf } from '../model/access.ts'
import type { Feature, Model } from '../model/model.ts'
import { childrenOf } from '../model/relations.ts'
import { guardedKeys, hasGuard } from './access-view.ts'
import { distinctKeysOf } from './distinct-keys.ts'
import { literal } from './literal.ts'
import type { Relations } from './relation-view.ts'
import type { SampleView } from './sample-view.ts'

/** Template data: parts of one feature's tests that depend on its relations, access and filters. */
export interface TestView {
  /** Named imports from the file of samples. */
  httpSamples: string
  serviceSamples: string
  repositoryImports: readonly { names: string; from: string }[]
  /** Properties of the argument of `describeRepository`. */
  contractOptions: readonly string[]
  /** Declaration and assignment of the records that samples refer to, if any. */
  refsVariables: readonly string[]
  refsAssignments: readonly string[]
  /** Properties of the argument of `createClient`. */
  clientOptions: readonly string[]
  /** The tests of access and of unique addresses, as names of partials with their data, and functions that they need. */
  accessTests: readonly AccessTest[]
  accessHelpers: readonly string[]
  /** Queries that may show nothing to other users. */
  strangerQueries: readonly string[]
  /** Spread of credentials in the headers of a request, with a trailing comma, or ''. */
  authHeaders: string
  /** Second argument of `fetch` for a read, with a leading comma, or ''. */
  readOptions: string
  /** Credentials in the headers of a read, with a trailing comma, or ''. */
  readHeaders: string
  /** Calls of the client that need a token. */
  protectedCalls: readonly string[]
  /** Start and end of a call that omits many-to-many fields from a sample, or ''. */
  comparableStart: string
  comparableEnd: string
  /** Matcher for responses of `find`, which may have more fields than the expected value. */
  foundMatcher: string
  setUpAsync: string
  setUpAwait: string
  /** Statements that declare the records that drafts refer to, and the caller, if the service needs them. */
  setUpStatements: readonly string[]
  /** Named imports from files of `test/support/`. */
  setUpImports: readonly { names: string; file: string }[]
  /** The caller as a further argument of changes, reads and removals, with a leading comma, or ''. */
  testCaller: string
  testReader: string
  testRemover: string
  /** Kind of the error for other users, or '' if no user owns the records. */
  strangerError: string
  /** Hook that removes the records after each test, if a user owns at most one, and its import. */
  cleanUp: string
  cleanUpImport: string
  /** Records that embed this feature's records as parts, and that samples refer to. */
  wholes: readonly Whole[]
  /** Declares `changes`: a draft without many-to-many fields and distinct keys. */
  changesOfDraft: string
}

interface Whole {
  /** Property of the client, and property of the samples' references. */
  client: string
  ref: string
  /** The foreign key, and the names of the embedded list and of its total. */
  key: string
  summary: string
  list: string
  total: string
  words: string
  partWords: string
}

interface AccessTest {
  readonly partial: string
  readonly [name: string]: unknown
}

export function testView(
  model: Model,
  feature: Feature,
  { forward, many, children, owner }: Relations,
  { seeds, namesDraft, refsArgument, userArgument }: SampleView,
): TestView {
  const { entity } = feature
  const access = accessOf(model, feature)
  const accessTests = accessTestsOf(model, feature, access, seeds)
  const { pascal, camel, kebab } = entity
  const sample = `${camel}Sample`
  const seedRefs = seeds.length > 0 ? [`seed${pascal}Refs`] : []
  const writes = [`create(${sample}(5${refsArgument}))`, 'update(1, {})', 'remove(1)']
  const isProtected = hasGuard(model, feature)
  const isAdmin = access.writes === 'admin'
  const isHidden = access.viewers.length > 0
  const headers = isAdmin ? 'app.adminHeaders' : 'app.headers'
  const hasKeys = guardedKeys(model, feature).length > 0
  const needsCaller = isAdmin || isHidden || hasKeys || access.owner !== undefined
  const isRefsUser = owner !== undefined && !isAdmin && !hasKeys
  // Another sample has another owner if the key to the owner is unique.
  const isOnlyOne = owner?.field.unique === true
  const setUpCaller = needsCaller && (!isRefsUser || isOnlyOne)
  const ownsSeeds = userArgument !== '' && hasKeys
  const isSeeded = ({ entity }: Feature) => seeds.some(({ key }) => key === entity.camel)
  const distinct = distinctKeysOf(feature)
  // Related records change with these fields.
  const omitted = [
    ...many,
    ...forward.filter(
      (key) => distinct.has(key.field.name) && key !== owner && isSeeded(key.target),
    ),
  ]
  const unset = forward
    .filter(({ field, target }) => distinct.has(field.name) && !isSeeded(target))
    .map(({ field }) => literal(field.camel))
  const matcher = (hasMore: boolean) => (hasMore ? 'toMatchObject' : 'toEqual')
  return {
    httpSamples: [
      `bad${pascal}Fields`,
      sample,
      ...seedRefs,
      ...seedRefs.map(() => `type ${pascal}Refs`),
    ].join(', '),
    serviceSamples: [sample, ...seedRefs].join(', '),
    repositoryImports: [
      ...(namesDraft
        ? []
        : [
            { names: `create${pascal}Body`, from: `../src/handlers/${kebab}.schema.js` },
            { names: 'camelKeys', from: '../src/http/camel-keys.js' },
          ]),
      {
        names: [namesDraft ? `${camel}Draft` : sample, ...seedRefs].join(', '),
        from: `./samples/${kebab}.sample.js`,
      },
    ],
    contractOptions: [
      ...seedRefs.map((name) => `seed: ${name}`),
      namesDraft
        ? `draft: ${camel}Draft`
        : `draft: (n) => camelKeys(create${pascal}Body.parse(${sample}(n)))`,
      ...(unset.length > 0 ? [`unset: [${unset.join(', ')}]`] : []),
    ],
    cleanUpImport: isOnlyOne ? 'afterEach, ' : '',
    cleanUp: isOnlyOne
      ? `// A user has at most one record.
  afterEach(async () => {
    for (const { id } of (await resource.list()).${entity.plural.snake}) await resource.remove(id)
  })`
      : '',
    refsVariables: seedRefs.map(() => `let refs: ${pascal}Refs`),
    refsAssignments: seedRefs.map(
      (name) => `refs = await ${name}(app.repositories${ownsSeeds ? ', app.caller' : ''})`,
    ),
    clientOptions: isProtected ? [`headers: ${headers}`] : [],
    accessTests: [
      ...(isOnlyOne ? [] : [{ partial: 'test/sorted-list' }]),
      ...accessTests,
      ...emailTests(feature),
    ],
    accessHelpers: accessTests.some(({ partial }) => partial !== 'test/access-reference')
      ? [
          `const clientWith = (headers: Record<string, string>) => createClient({ baseUrl: app.baseUrl, headers }).${entity.plural.camel}`,
        ]
      : [],
    strangerQueries: ['', ...strangerQueries(model, feature, access)],
    authHeaders: isProtected ? `...${headers}, ` : '',
    readHeaders: access.reads === 'open' ? '' : `...${headers}, `,
    readOptions: access.reads === 'open' ? '' : `, { headers: ${headers} }`,
    protectedCalls: [
      ...(access.writes === 'open' ? [] : writes),
      ...(access.reads === 'open' ? [] : ['list()', 'find(1)']),
    ],
    comparableStart: many.length > 0 ? 'withoutLists(' : '',
    comparableEnd: many.length > 0 ? ')' : '',
    foundMatcher: matcher(children.length > 0),
    setUpAsync: seeds.length > 0 || setUpCaller ? 'async ' : '',
    setUpAwait: seeds.length > 0 || setUpCaller ? 'await ' : '',
    setUpStatements: [
      ...(setUpCaller
        ? [`const caller = await seedUser(repositories${isAdmin ? ", 'admin'" : ''})`]
        : []),
      ...seedRefs.map(
        (name) => `const refs = await ${name}(repositories${ownsSeeds ? ', caller' : ''})`,
      ),
      ...(needsCaller && !setUpCaller ? ['const caller = refs.user'] : []),
    ],
    setUpImports: setUpCaller ? [{ names: 'seedUser', file: 'seed-user' }] : [],
    testCaller: needsCaller ? ', caller' : '',
    testRemover: isAdmin || isHidden || access.owner ? ', caller' : '',
    testReader: isHidden ? ', caller' : '',
    strangerError: owner === undefined || isAdmin ? '' : isHidden ? 'not-found' : 'forbidden',
    wholes: wholesOf(model, feature, seeds),
    changesOfDraft:
      omitted.length > 0
        ? `{ ${omitted.map(({ field: { camel } }) => `${camel}: _${camel}, `).join('')}...changes }`
        : 'changes',
  }
}

/** A distinct foreign key has one part: the test of the newest 50 parts does not apply. */
function wholesOf(model: Model, feature: Feature, seeds: SampleView['seeds']): readonly Whole[] {
  const isSeeded = ({ entity }: Feature) => seeds.some(({ key }) => key === entity.camel)
  const distinct = distinctKeysOf(feature)
  return model.features.filter(isSeeded).flatMap((whole) =>
    childrenOf(model, whole)
      .filter(
        ({ child, by }) =>
          child.entity.pascal === feature.entity.pascal && !distinct.has(by.field.name),
      )
      .map(({ name, by, total }) => ({
        client: whole.entity.plural.camel,
        ref: whole.entity.camel,
        key: by.field.name,
        summary: by.name,
        list: name,
        total: total.name,
        words: whole.entity.words,
        partWords: feature.entity.plural.words,
      })),
  )
}

function emailTests({ fields }: Feature): readonly AccessTest[] {
  const emails = fields.filter(({ type, unique }) => type.kind === 'email' && unique)
  const names = emails.map(({ name }) => name)
  return names.length > 0 ? [{ partial: 'test/unique-emails', names }] : []
}

/** Selects the tests of access. Their templates are in `templates/partials/test/`. */
function accessTestsOf(
  model: Model,
  feature: Feature,
  access: Access,
  seeds: SampleView['seeds'],
): readonly AccessTest[] {
  if (access.writes === 'admin') return [{ partial: 'test/access-admin' }]
  const keys = guardedKeys(model, feature)
    .filter(({ target }) => seeds.some(({ key }) => key === target.entity.camel))
    .map(({ field, target, status }) => ({
      partial: 'test/access-reference',
      name: field.name,
      target: target.entity.camel,
      targetWords: target.entity.words,
      status,
    }))
  return [
    ...(access.viewers.length > 0 ? [{ partial: 'test/access-private' }] : []),
    ...(access.viewers.length === 0 && access.owner ? [{ partial: 'test/access-owned' }] : []),
    ...keys,
  ]
}

/** Returns queries for the records of the caller, and for the parts of the caller's records. */
function strangerQueries(model: Model, feature: Feature, { viewers }: Access): readonly string[] {
  const keys = guardedKeys(model, feature)
  return viewers.flatMap(([first, ...rest]) => {
    if (first === undefined) return []
    if (rest.length === 0) return [`{ ${first.name}: app.caller.id }`]
    const key = keys.find(({ field }) => field === first)
    return key ? [`{ ${first.name}: refs.${key.target.entity.camel}.id }`] : []
  })
}
