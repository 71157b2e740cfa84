import { StrataError } from '../errors.ts'
import { type ReadFile, writeActions } from './actions.ts'
import type { Action } from './plan.ts'

/** The file that states which version of the emitted code a project has. */
export const versionPath = '.strata/version'

/** A version of the emitted code, and the reasons for its changes. */
interface EmittedVersion {
  readonly version: number
  /** One line for each change: the change, and the reason after a colon. */
  readonly changes: readonly string[]
}

/**
 * The versions of the emitted code, oldest first. Projects without a version file are of version 0. Add a version if the
 * emitted code changes after a release.
 */
export const emittedVersions: readonly EmittedVersion[] = [
  {
    version: 1,
    changes: [
      'shared files contain only functions that the project uses: less code to own',
      'lists have sort, ranges and cursor, and refuse unknown parameters: a typing error no longer answers all records',
      'records have an ETag, and writes accept If-Match: two editors no longer overwrite each other in silence',
      'GET /ready, /docs and /metrics: a deployment can ask the app and its store for their state',
      'accounts with roles and tokens that end, and npm run admin: access can be withdrawn',
      'errors name the place in nested fields, and requests are logged in one line each: faults are easier to find',
      'npm run setup and a CI workflow: a new clone starts without settings made by hand',
    ],
  },
]

/** The version of the code that this strata emits. */
export const currentVersion = Math.max(...emittedVersions.map(({ version }) => version))

/** Returns the version of the project's code. Throws StrataError 'conflict' if a newer strata emitted it. */
export function versionOf(readFile: ReadFile): number {
  const text = readFile(versionPath)
  if (text === undefined) return 0
  const version = /^\d{1,9}\s*$/.test(text) ? Number(text) : undefined
  if (version === undefined)
    throw new StrataError(
      'conflict',
      `${versionPath} is invalid: expected one number; restore it from git`,
    )
  if (version <= currentVersion) return version
  throw new StrataError(
    'conflict',
    `a newer strata wrote this project: its code is of version ${version}, and this strata knows ${currentVersion}: install the newer strata`,
  )
}

/** Lists the changes of the emitted code after a version. */
export function changesSince(version: number): readonly string[] {
  return emittedVersions
    .filter((each) => each.version > version)
    .flatMap(({ changes }) => [...changes])
}

/** Returns the action that states the current version. */
export function writeVersion(readFile: ReadFile): readonly Action[] {
  return writeActions(readFile, versionPath, `${currentVersion}\n`, 'version of the emitted code')
}
