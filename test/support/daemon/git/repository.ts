import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface Repository {
  readonly folder: string
  git(...args: string[]): string
  /** Writes files (a text or the target of a link), commits all files and returns the commit. */
  commit(files: Readonly<Record<string, string | { link: string }>>): string
}

/** Creates a folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'strata-git-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Creates a repository on the branch `main` that ignores the user's git settings. */
export function createRepository(folder: string, ...options: string[]): Repository {
  mkdirSync(folder, { recursive: true })
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: folder,
      env: settings,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim()
  git('init', '--quiet', '--initial-branch=main', ...options)
  return {
    folder,
    git,
    commit(files) {
      for (const [path, content] of Object.entries(files)) {
        const full = join(folder, path)
        mkdirSync(dirname(full), { recursive: true })
        rmSync(full, { force: true })
        if (typeof content === 'string') writeFileSync(full, content)
        else symlinkSync(content.link, full)
      }
      git('add', '--all', '--force')
      git('commit', '--quiet', '--allow-empty', '--message', 'a change')
      return git('rev-parse', 'HEAD')
    },
  }
}

const settings = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
}
