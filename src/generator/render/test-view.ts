import type { Feature, Model } from '../model/model.ts'
import { childrenOf } from '../model/relations.ts'
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
  /** Spread of credentials in the headers of a request, with a trailing comma, or ''. */
  authHeaders: string
  /** Second argument of `fetch` for a read, with a leading comma, or ''. */
  readOptions: string
  /** Calls of the client that need a token. */
  protectedCalls: readonly string[]
  /** Start and end of a call that omits many-to-many fields from a sample, or ''. */
  comparableStart: string
  comparableEnd: string
  /** Matcher for responses of `find`, which may have more fields than the expected value. */
  foundMatcher: string
  setUpAsync: string
  setUpAwait: string
  /** Statement that declares the caller, if records have an owner. */
  callerStatements: readonly string[]
  /** The caller as a further argument, with a leading comma, or ''. */
  testCaller: string
  /** Records that embed this feature's records as parts, and that samples refer to. */
  wholes: readonly Whole[]
  /** Declares `changes`: a draft without many-to-many fields. */
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

export function testView(
  model: Model,
  feature: Feature,
  { many, children, owner }: Relations,
  { seeds, namesDraft, refsArgument }: SampleView,
): TestView {
  const { entity, protect } = feature
  const { pascal, camel, kebab } = entity
  const sample = `${camel}Sample`
  const seedRefs = seeds.length > 0 ? [`seed${pascal}Refs`] : []
  const writes = [`create(${sample}(5${refsArgument}))`, 'update(1, {})', 'remove(1)']
  const isProtected = protect !== 'none'
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
    ],
    refsVariables: seedRefs.map(() => `let refs: ${pascal}Refs`),
    refsAssignments: seedRefs.map((name) => `refs = await ${name}(app.repositories)`),
    clientOptions: isProtected ? ['headers: app.headers'] : [],
    authHeaders: isProtected ? '...app.headers, ' : '',
    readOptions: protect === 'all' ? ', { headers: app.headers }' : '',
    protectedCalls: {
      none: [],
      write: writes,
      all: [...writes, 'list()', 'find(1)'],
    }[protect],
    comparableStart: many.length > 0 ? 'withoutLists(' : '',
    comparableEnd: many.length > 0 ? ')' : '',
    foundMatcher: matcher(children.length > 0),
    setUpAsync: seeds.length > 0 ? 'async ' : '',
    setUpAwait: seeds.length > 0 ? 'await ' : '',
    callerStatements: owner ? ['const caller = refs.user'] : [],
    testCaller: owner ? ', caller' : '',
    wholes: wholesOf(model, feature, seeds),
    changesOfDraft:
      many.length > 0
        ? `{ ${many.map(({ field }) => `${field.camel}: _${field.camel}, `).join('')}...changes }`
        : 'changes',
  }
}

/** A unique foreign key allows one part, which has no test of its own. */
function wholesOf(model: Model, feature: Feature, seeds: SampleView['seeds']): readonly Whole[] {
  const isSeeded = ({ entity }: Feature) => seeds.some(({ key }) => key === entity.camel)
  return model.features.filter(isSeeded).flatMap((whole) =>
    childrenOf(model, whole)
      .filter(({ child, by }) => child.entity.pascal === feature.entity.pascal && !by.field.unique)
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
