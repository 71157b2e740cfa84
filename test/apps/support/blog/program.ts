import { mkdir, rm } from 'node:fs/promises'
import { blogProcessChecks, preparedProcessChecks } from '../../suite/blog/process.checks.ts'
import { tags } from '../../suite/blog/resources.ts'
import type { ProcessCheck } from '../../suite/process.ts'
import { storeFailureCheck } from '../../suite/storage.checks.ts'

/** Every check of a process that the reference blog must pass. */
export const referenceBlogChecks: readonly ProcessCheck[] = [
  ...blogProcessChecks,
  ...preparedProcessChecks(tags, (resource) => [
    storeFailureCheck(resource, async (databaseUrl) => {
      const file = databaseUrl.replace(/^file:/, '')
      await rm(file)
      await mkdir(file)
    }),
  ]),
]
