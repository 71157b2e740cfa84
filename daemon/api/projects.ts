import * as z from 'zod'
import { isHostedName } from '../domain/hosted.ts'
import { contextPath } from '../domain/sources.ts'
import { duration, id, line, time } from './fields.ts'

/** Schema of a folder inside the repository. */
const context = z
  .string()
  .max(1024)
  .refine((path) => contextPath(path) !== undefined, 'must be a folder inside the repository')
const gitToken = z
  .string()
  .max(4096)
  .regex(/^[\x21-\x7e]*$/, 'must be visible ASCII without spaces')
const globs = z.array(line(255)).max(100)

export const registerProject = z
  .strictObject({
    repo_dir: line(4096).optional(),
    repo_url: line(2048).optional(),
    /** Name of a repository that the daemon hosts: git pushes to `/git/<name>.git` deploy. */
    hosted: z
      .string()
      .refine(isHostedName, 'must be a name of at most 63 lower-case letters, digits, -, _ and .')
      .optional(),
    git_token: gitToken.min(1).optional(),
    context: context.optional(),
  })
  .refine(
    ({ repo_dir, repo_url, hosted }) =>
      [repo_dir, repo_url, hosted].filter((each) => each !== undefined).length === 1,
    'give exactly one of repo_dir, repo_url and hosted',
  )

/** The path of a hosted repository, with or without `.git`. */
export const repositoryParams = z.strictObject({
  repository: z
    .string()
    .transform((text) => text.replace(/\.git$/, ''))
    .refine(isHostedName, 'must be the name of a hosted repository'),
})

export const updateProject = z
  .strictObject({
    pause_after: duration,
    /** `null`: never. */
    destroy_after: duration.nullable(),
    /** An empty string removes the token. */
    git_token: gitToken,
    branches: globs,
    ignore: globs,
    max_environments: z.int().min(1).max(100_000).nullable(),
  })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'give at least one field to change')

export const project = z.strictObject({
  id,
  name: z.string(),
  repo_dir: z.string().nullable(),
  repo_url: z.string().nullable(),
  /** Name of the repository that the daemon hosts; null if the repository is elsewhere. */
  hosted: z.string().nullable(),
  context: z.string(),
  pause_after: z.string(),
  /** `null`: never. Never applies to the default branch. */
  destroy_after: z.string().nullable(),
  default_branch: z.string().nullable(),
  /** Time for which the trash keeps the data of a destroyed branch; a setting of the daemon. */
  trash_keep: z.string(),
  branches: z.array(z.string()),
  ignore: z.array(z.string()),
  max_environments: z.int().nullable(),
  has_git_token: z.boolean(),
  has_webhook_secret: z.boolean(),
  created_at: time,
})
