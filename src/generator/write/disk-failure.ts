import { StrataError } from '../errors.ts'
import { isDiskError } from './disk.ts'

export const nothingChanged = 'nothing was changed'
export const nextRunCompletes =
  'the change is stored in .strata and the next strata run completes it'

/**
 * Converts an error of the operating system to a StrataError 'failure' whose message ends with
 * `outcome`, the effect on the project. Returns any other error (a StrataError, a bug) unchanged.
 */
export function diskFailure(error: unknown, outcome: string): unknown {
  if (!isDiskError(error)) return error
  const what = sentences[error.code] ?? `the file system refused (${error.code})`
  return new StrataError('failure', `${what}: ${outcome}`, {
    details: [error.message],
    cause: error,
  })
}

const noPermission = 'strata has no permission to write here'

const sentences: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: noPermission,
  EPERM: noPermission,
  EIO: 'the disk reported an input/output error',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'a path is longer than the file system allows',
  EBUSY: 'a path is in use, for example as a mount point',
  EXDEV: 'a part of the project is on another file system',
}
