import { mutatedBlogApp } from '../support/apps/blog-app.ts'
import { describeMutants } from '../support/apps/describe-mutants.ts'
import { mutatedUserApp } from '../support/apps/user-app.ts'
import { blogAppMutants, quickBlogAppMutants } from './mutants/blog-app.ts'
import { userAppMutants } from './mutants/user-app.ts'

describeMutants('the suite of user-app', userAppMutants, mutatedUserApp)

describeMutants(
  'the suite of blog-app',
  blogAppMutants.filter((mutant) => !quickBlogAppMutants.includes(mutant)),
  mutatedBlogApp,
)
