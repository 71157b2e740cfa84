import { mkdir, rm } from 'node:fs/promises'
import {
  blogProcessChecks,
  preparedProcessChecks,
} from '../../../apps/suite/blog/process.checks.ts'
import { tags } from '../../../apps/suite/blog/resources.ts'
import type { ProcessCheck } from '../../../apps/suite/process.ts'
import { storeFailureCheck } from '../../../apps/suite/storage.checks.ts'

/** The process checks of the reference blog. */
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
