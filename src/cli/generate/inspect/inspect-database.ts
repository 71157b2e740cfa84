import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Question } from '../../../generator/inspect/question.ts'
import {
  type ModelsOfChange,
  questionsOf,
  renameQuestions,
} from '../../../generator/inspect/questions.ts'
import { type Fact, factOf } from '../../../generator/inspect/sentences.ts'
import { entitiesOf } from '../../../generator/model/entities.ts'
import type { Model } from '../../../generator/model/model.ts'
import { storeOf } from '../../../generator/stores/stores.ts'
import { absoluteUrl } from '../copy/database-url.ts'
import { askStore } from './ask-store.ts'
import type { InspectionReply } from './worker/messages.ts'

/** The answers of the stored records about a change, or the reason why they could not be asked. */
export interface DatabaseReport {
  readonly asked: boolean
  /** The reason why the database could not be asked, and what to do. */
  readonly reason?: string
  readonly facts: readonly Fact[]
}

export interface InspectedChange {
  readonly root: string
  readonly models: ModelsOfChange
  readonly isRename: boolean
  /** The subject of a sentence about dropped rows: `remove`. */
  readonly subject: string
}

/** The time that the process has to answer all questions. */
const limitMs = 15_000

/** Asks the configured database what a change would lose. Only reads, and never throws because of the database. */
export async function inspectDatabase(change: InspectedChange): Promise<DatabaseReport> {
  const { root, models, isRename, subject } = change
  const { from } = models
  const questions = isRename ? renameQuestions(from, models.after) : questionsOf(models)
  if (questions.length === 0) return { asked: true, facts: [] }
  const url = configuredUrl(root, from)
  if (url === undefined) return unasked('DATABASE_URL is not set: set it in .env')
  const reply = await askStore({
    root,
    kind: from.database,
    databaseUrl: absoluteUrl(root, from.database, url),
    migrations: migrationsIn(root),
    fields: fieldsOf(from),
    questions,
    limitMs,
  })
  return reportOf(reply, { questions, subject, url })
}

function reportOf(
  reply: InspectionReply,
  { questions, subject, url }: { questions: readonly Question[]; subject: string; url: string },
): DatabaseReport {
  switch (reply.kind) {
    case 'answers':
      return {
        asked: true,
        facts: reply.answers.flatMap((answer, at) => {
          const question = questions[at]
          return question ? [factOf(subject, question, answer)] : []
        }),
      }
    case 'empty':
      return unasked('the app has not started on it yet, so it has no records')
    case 'waiting':
      return unasked(
        `it has pending changes (${reply.names.join(', ')}): start the app once, and run again`,
      )
    case 'failed':
      return unasked(
        `${withoutSecrets(reply.reason, url)}: start its server, or check DATABASE_URL`,
      )
  }
}

function unasked(reason: string): DatabaseReport {
  return { asked: false, reason, facts: [] }
}

/** Drivers rarely quote the URL. A password never reaches the terminal. */
function withoutSecrets(reason: string, url: string): string {
  const [line = ''] = reason.split('\n', 1)
  const password = /:\/\/[^/@]*:([^/@]+)@/.exec(url)?.[1]
  const hidden = line.replaceAll(url, 'the URL')
  return password === undefined
    ? hidden
    : hidden.replaceAll(password, '…').replaceAll(decoded(password), '…')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function configuredUrl(root: string, model: Model): string | undefined {
  const file = join(root, '.env')
  const settings = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  const url =
    process.env.DATABASE_URL || settings.DATABASE_URL || storeOf(model).databaseUrl.default
  return url === '' ? undefined : url
}

/** Lists the migrations on the disk, which are those before the change. */
function migrationsIn(root: string): readonly string[] {
  const folder = join(root, 'prisma/migrations')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'migration.sql')))
    .sort()
}

function fieldsOf(model: Model): Readonly<Record<string, readonly string[]>> {
  if (storeOf(model).losses === undefined) return {}
  return Object.fromEntries(
    entitiesOf(model).map(({ entity, fields }) => [
      entity.plural.snake,
      fields.map(({ name }) => name),
    ]),
  )
}
