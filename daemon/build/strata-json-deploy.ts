import * as z from 'zod'
import { durationMs } from '../domain/duration.ts'
import { processNamePattern, webProcess } from '../domain/process-names.ts'
import { storeKinds } from '../domain/records.ts'
import { scheduleFault } from '../domain/schedule-times.ts'
import { DaemonError } from '../errors.ts'
import { splitCommandLine } from './command-line.ts'
import { readText } from './read-text.ts'
import { splitStartLine } from './recognize/start-line.ts'

/** The parsed `deploy` section of `strata.json`, without defaults. */
export type DeploySection = z.output<typeof section>

/**
 * Reads the `deploy` section of a checkout. Returns an empty section if the file or the section is missing. Throws
 * DaemonError `unprocessable` with every fault.
 */
export async function readDeploySection(checkout: string): Promise<DeploySection> {
  const text = await readText(checkout, 'strata.json')
  if (text === undefined) return {}
  let document: unknown
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new DaemonError('unprocessable', `strata.json is not JSON: ${(error as Error).message}`, {
      cause: error,
    })
  }
  const result = z.looseObject({ deploy: section.optional() }).safeParse(document)
  if (result.success) return withWebStart(result.data.deploy ?? {})
  throw new DaemonError(
    'unprocessable',
    `strata.json: ${result.error.issues.map(messageOf).join('; ')}`,
  )
}

/** Takes the web process as the start command. Throws `unprocessable` if both are given. */
function withWebStart(section: DeploySection): DeploySection {
  const { [webProcess]: web, ...processes } = section.processes ?? {}
  if (web === undefined) return section
  if (section.start === undefined) return { ...section, start: web, processes }
  throw new DaemonError(
    'unprocessable',
    'strata.json: deploy.start and deploy.processes.web name the same command: remove one of them',
  )
}

const word = z
  .string('must be a string')
  .max(8192, 'must have at most 8192 characters')
  .refine((text) => !text.includes('\0'), 'must not contain a NUL character')

const argv = z
  .union(
    [
      word.transform((line, context) => {
        const split = splitCommandLine(line)
        if (split.kind === 'words') return split.argv
        context.addIssue(
          `${split.why}; write it as a list of words, or as a script of package.json`,
        )
        return z.NEVER
      }),
      z.array(word).max(1000, 'must have at most 1000 words'),
    ],
    'must be a string or a list of strings',
  )
  .transform((words): readonly string[] => words)

const noVariables = { hasVariables: false, env: {} }

/** Schema of the start command. A string may use variables, as in `--port $PORT`; the words of a list are constant. */
const start = z
  .union(
    [
      word.transform((line, context) => {
        const split = splitStartLine(line)
        if (split.kind === 'words') return split
        context.addIssue(
          `${split.why}; write it as a list of words, or as a script of package.json`,
        )
        return z.NEVER
      }),
      z
        .array(word)
        .max(1000, 'must have at most 1000 words')
        .transform((argv) => ({ argv, ...noVariables })),
    ],
    'must be a string or a list of strings',
  )
  .refine(({ argv }) => argv.length > 0 && argv[0] !== '', 'must name a program')

/** Schema of a folder inside the repository. Symlinks are checked later. */
const folder = word.transform((text, context) => {
  const parts = text.split('/').filter((part) => part !== '' && part !== '.')
  if (!text.startsWith('/') && !parts.includes('..') && !/[\\\p{Cc}]/u.test(text)) {
    return parts.join('/')
  }
  context.addIssue('must be a folder inside the repository, such as apps/web')
  return z.NEVER
})

const site = z.union(
  [
    folder.transform((path) => ({ folder: path, isSpa: false })),
    z
      .strictObject({ folder, spa: z.boolean('must be true or false').default(false) })
      .transform((given) => ({ folder: given.folder, isSpa: given.spa })),
  ],
  'must be a folder, or an object with folder and spa',
)

const path = word
  .max(1024, 'must have at most 1024 characters')
  .regex(/^\/[\x21-\x7e]*$/, 'must be a path that starts with /, such as /health')

const healthTimeout = word.transform((text, context) => {
  const ms = durationMs(text)
  if (ms !== undefined && ms <= 600_000) return ms
  context.addIssue('must be a duration of at most 10 minutes, such as 30s or 2m')
  return z.NEVER
})

const variableName = z
  .string('must be a name')
  .max(128, 'must have at most 128 characters')
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is not a valid variable name')

const variables = z.record(
  variableName,
  z
    .union([word, z.number(), z.boolean()], 'must be a string, a number, true or false')
    .transform(String),
  'must be an object of names and values',
)

function integer(min: number, max: number, unit = '') {
  const message = `must be a whole number from ${min} to ${max}${unit}`
  return z.int(message).min(min, message).max(max, message)
}

const coresMessage = 'must be a number of CPU cores from 0.01 to 1024, such as 0.5'
const cores = z.number(coresMessage).min(0.01, coresMessage).max(1024, coresMessage)

const generate = z
  .array(
    variableName.refine(
      (name) => name !== 'PORT' && !name.startsWith('STRATA_'),
      'is a variable that strata sets itself',
    ),
    'must be a list of names',
  )
  .max(20, 'must have at most 20 names')

/** Schema of the database of each branch. `data` is the content of a preview's new database. */
const store = z.strictObject(
  {
    kind: z.enum(storeKinds, `must be ${storeKinds.join(', ')}`),
    data: z.enum(['empty', 'copy'], 'must be empty or copy').default('empty'),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined) },
)
const processes = z
  .record(
    z
      .string()
      .regex(
        processNamePattern,
        'is not a process name: expected lower-case letters, digits and -',
      ),
    start,
    'must be an object of names and commands',
  )
  .refine((all) => Object.keys(all).length <= 10, 'must have at most 10 processes')

const maxScheduleMs = 86_400_000

const scheduleTimeout = word.transform((text, context) => {
  const ms = durationMs(text)
  if (ms !== undefined && ms <= maxScheduleMs) return ms
  context.addIssue('must be a duration of at most 24h, such as 10m')
  return z.NEVER
})

const schedule = z
  .strictObject({
    name: z
      .string('must be a name')
      .regex(processNamePattern, 'is not a name: expected lower-case letters, digits and -'),
    schedule: word,
    command: start,
    timezone: word.default('UTC'),
    timeout: scheduleTimeout.default(3_600_000),
    previews: z.boolean('must be true or false').default(false),
  })
  .superRefine((given, context) => {
    const fault = scheduleFault(given)
    if (fault !== undefined) {
      context.addIssue({ code: 'custom', path: ['schedule'], message: fault })
    }
  })

const cron = z
  .array(schedule, 'must be a list of schedules')
  .max(20, 'must have at most 20 schedules')
  .refine(
    (all) => new Set(all.map(({ name }) => name)).size === all.length,
    'must have a different name for each schedule',
  )

const section = z.strictObject(
  {
    root: folder.optional(),
    /** An empty list skips the build. */
    build: argv.optional(),
    start: start.optional(),
    /** A folder of files to serve, such as the output of the build. */
    static: site.optional(),
    dockerfile: folder
      .refine((path) => path !== '', 'must be a file such as Dockerfile')
      .optional(),
    health: path.optional(),
    health_timeout: healthTimeout.optional(),
    port: integer(1, 65_535).optional(),
    memory_mb: integer(16, 2 ** 20, ' (MiB)').optional(),
    cpus: cores.optional(),
    /** Processes and threads. */
    pids: integer(16, 2 ** 22).optional(),
    env: variables.optional(),
    /** Names of secrets to make, unless they exist. */
    generate: generate.optional(),
    /** True: the app can't change its files. Only the docker runtime enforces it. */
    read_only: z.boolean('must be true or false').optional(),
    store: store.optional(),
    keep_releases: integer(1, 50).optional(),
    /** Commands by name. `web` serves requests. */
    processes: processes.optional(),
    /** Commands that run at certain times. */
    cron: cron.optional(),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined) },
)

/** Returns the schema of the object at a path. */
function schemaAt(path: string) {
  if (path === 'deploy.store') return store
  return path.startsWith('deploy.cron.') ? schedule : section
}

function messageOf(issue: z.core.$ZodIssue): string {
  const name = issue.path.join('.') || 'the file'
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(schemaAt(name).shape).join(', ')
    return `${name} has no key ${issue.keys.join(', ')}: expected ${known}`
  }
  // Reports the union member that matches the type of the value: its message is more specific.
  if (issue.code === 'invalid_union') {
    const fault = issue.errors.flat().find(({ code }) => code === 'custom' || code === 'too_big')
    if (fault) return `${name} ${fault.message}`
  }
  if (issue.code === 'invalid_key') return `${name} ${issue.issues[0]?.message ?? issue.message}`
  return `${name} ${issue.message}`
}
