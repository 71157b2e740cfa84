import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StrataError } from '../../generator/errors.ts'
import type { Model } from '../../generator/model/model.ts'
import { projectPath } from '../../generator/plan/base.ts'
import { readModel } from '../../generator/spec/project-file.ts'
import { findProject, openProject } from '../generate/project.ts'
import { type BootResult, boot } from './boot.ts'
import { checkSqlite } from './database.ts'
import { checkModel } from './model.ts'
import { checkOpenApi } from './openapi.ts'
import type { Outcome } from './outcome.ts'
import { checkLint, checkTests, checkTypes } from './tool-checks.ts'

interface Check {
  readonly name: string
  readonly run: () => Outcome | Promise<Outcome>
}

/**
 * `strata check`: checks that model, code, database and OpenAPI of the project around the working directory agree, and that
 * the app builds, starts and passes its tests. Writes only build output. Throws StrataError 'check-failed' if a check
 * fails, and 'failure' on SIGINT or SIGTERM.
 */
export async function check({ json }: { json?: boolean }): Promise<void> {
  const root = findProject(process.cwd())
  const folder = mkdtempSync(join(tmpdir(), 'strata-check-'))
  let isInterrupted = false
  const interrupt = () => {
    isInterrupted = true
  }
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  try {
    const results = []
    for (const { name, run } of checksOf(root, folder)) {
      const outcome = await run()
      // Discard the outcome of this check: the signal also ended its tool.
      if (isInterrupted) throw new StrataError('failure', `interrupted at ${name}`)
      results.push({ name, ...outcome })
      if (!json) process.stdout.write(`${linesOf(name, outcome).join('\n')}\n`)
    }
    if (json) process.stdout.write(`${JSON.stringify({ root, checks: results }, null, 2)}\n`)
    const failed = results.filter(({ kind }) => kind === 'failed').map(({ name }) => name)
    if (failed.length > 0) {
      throw new StrataError(
        'check-failed',
        `${failed.length} of ${results.length} checks failed: ${failed.join(', ')}`,
      )
    }
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    rmSync(folder, { recursive: true, force: true })
  }
}

function checksOf(root: string, folder: string): readonly Check[] {
  const project = openProject(root)
  const model = readModel(project.readFile(projectPath) ?? '')
  const database = join(folder, 'app.db')
  const url = databaseUrlOf(model, database)
  let booted: BootResult | undefined
  const afterBoot =
    (inspect: (app: BootResult) => ReturnType<Check['run']>) => (): ReturnType<Check['run']> =>
      booted?.openapi === undefined
        ? { kind: 'skipped', reason: 'the app did not start' }
        : inspect(booted)
  return [
    { name: 'model', run: () => checkModel(project, model) },
    { name: 'types', run: () => checkTypes(root) },
    { name: 'lint', run: () => checkLint(root) },
    { name: 'tests', run: () => checkTests(root) },
    {
      name: 'boot',
      run: async () => {
        if (url === undefined) return { kind: 'skipped', reason: noTestStore }
        booted = await boot(root, url, folder)
        return booted.outcome
      },
    },
    {
      name: 'openapi',
      run: afterBoot(({ openapi, served }) => checkOpenApi(model, openapi, served)),
    },
    {
      name: 'database',
      run: afterBoot(() =>
        model.database === 'sqlite'
          ? checkSqlite(model, database)
          : {
              kind: 'skipped',
              reason: `the tables are compared for sqlite only, and the store is ${model.database}`,
            },
      ),
    },
  ]
}

const noTestStore =
  'set TEST_DATABASE_URL to an empty database on a server, so that the app can start'

function databaseUrlOf({ database }: Model, path: string): string | undefined {
  return database === 'sqlite' ? `file:${path}` : process.env.TEST_DATABASE_URL
}

function linesOf(name: string, outcome: Outcome): readonly string[] {
  switch (outcome.kind) {
    case 'passed':
      return [`✓ ${name}`, ...(outcome.notes ?? []).map((line) => `  ${line}`)]
    case 'skipped':
      return [`- ${name}: skipped, ${outcome.reason}`]
    case 'failed':
      return [`✗ ${name}`, ...outcome.details.map((line) => `  ${line}`)]
  }
}
