import type { Check } from '../check.ts'
import { accountChecks } from './accounts.checks.ts'
import { commentListChecks } from './comment-lists.checks.ts'
import { commentChecks } from './comments.checks.ts'
import { conditionalChecks } from './conditional.checks.ts'
import { credentialChecks } from './credentials.checks.ts'
import { fileChecks } from './files.checks.ts'
import { filterChecks } from './filters.checks.ts'
import { loginChecks } from './login.checks.ts'
import { oddValueChecks } from './odd-values.checks.ts'
import { blogOpenApiChecks } from './openapi.checks.ts'
import { ownershipChecks } from './ownership.checks.ts'
import { postListChecks } from './post-lists.checks.ts'
import { postTagChecks } from './post-tags.checks.ts'
import { postChecks } from './posts.checks.ts'
import { privacyChecks } from './privacy.checks.ts'
import { publishChecks } from './publish.checks.ts'
import { raceChecks } from './races.checks.ts'
import { registerChecks } from './register.checks.ts'
import { searchChecks } from './search.checks.ts'
import { tagChecks } from './tags.checks.ts'
import { tokenChecks } from './tokens.checks.ts'
import { uploadChecks } from './uploads.checks.ts'
import { viewChecks } from './views.checks.ts'

/**
 * The checks that only the blog has. Each check creates the users, posts and tags that it reads,
 * so checks can run concurrently and next to other requests.
 */
export const blogChecks: readonly Check[] = [
  ...registerChecks,
  ...loginChecks,
  ...credentialChecks,
  ...tokenChecks,
  ...accountChecks,
  ...privacyChecks,
  ...postChecks,
  ...ownershipChecks,
  ...publishChecks,
  ...viewChecks,
  ...conditionalChecks,
  ...commentChecks,
  ...commentListChecks,
  ...tagChecks,
  ...postTagChecks,
  ...filterChecks,
  ...postListChecks,
  ...searchChecks,
  ...oddValueChecks,
  ...raceChecks,
  ...uploadChecks,
  ...fileChecks,
  ...blogOpenApiChecks,
]
