import * as z from 'zod'
import type { PackageManager } from '../../domain/recognized-app.ts'
import type { AppFiles, WorkspaceFiles } from './app-files.ts'

/** Lock files with their package managers, in order of precedence. */
const lockFiles = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['npm-shrinkwrap.json', 'npm'],
  ['package-lock.json', 'npm'],
] as const

export interface ManagerFacts {
  readonly packageManager: PackageManager
  readonly lockFile: string | null
  readonly reason: string | null
}

/** Chooses the package manager: by `packageManager` in `package.json`, then by the lock file, else npm. */
export function packageManagerOf(files: AppFiles | WorkspaceFiles): ManagerFacts {
  const { names, texts } = files
  const field = declared.safeParse(files.manifest?.all.packageManager)
  const found = lockFiles.find(([file, name]) =>
    field.success ? name === field.data.name && names.has(file) : names.has(file),
  )
  const [lockFile = null, byLock = 'npm'] = found ?? []
  const name = field.success ? field.data.name : byLock
  const isModern =
    name === 'yarn' &&
    (field.success
      ? Number.parseInt(field.data.version, 10) >= 2
      : names.has('.yarnrc.yml') || /^__metadata:/m.test(texts.get('yarn.lock') ?? ''))
  const version = field.success
    ? field.data.version
    : name === 'pnpm'
      ? pnpmMajor(texts.get('pnpm-lock.yaml') ?? '')
      : name === 'yarn'
        ? isModern
          ? '4'
          : '1'
        : null
  return {
    packageManager: { name, version, isModern },
    lockFile,
    reason:
      name === 'npm'
        ? null
        : field.success
          ? `${name} ${field.data.version}, because packageManager in package.json names it`
          : `${name}, because there is ${lockFile}`,
  }
}

const declared = z.string().transform((text, context) => {
  const [, name, version] = /^(npm|pnpm|yarn)@(\d+\.\d+\.\d+[\w.-]*)(?:\+.*)?$/.exec(text) ?? []
  const known = z.enum(['npm', 'pnpm', 'yarn']).safeParse(name)
  if (known.success && version !== undefined) return { name: known.data, version }
  context.addIssue('unknown package manager')
  return z.NEVER
})

/** Returns the newest major version of pnpm that reads a lock file without rewriting it. */
function pnpmMajor(lock: string): string {
  const [, format] = /^lockfileVersion:\s*'?(\d+)/m.exec(lock) ?? []
  return format === '5' ? '7' : format === '6' ? '8' : '9'
}
