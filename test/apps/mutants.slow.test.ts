import { blogAppMutants, quickBlogAppMutants } from './mutants/blog-app.ts'
import { userAppMutants } from './mutants/user-app.ts'
import { mutatedBlogApp } from './support/blog-app.ts'
import { describeMutants } from './support/describe-mutants.ts'
import { mutatedUserApp } from './support/user-app.ts'

describeMutants('the suite before broken versions of user-app', userAppMutants, mutatedUserApp)

describeMutants(
  'the suite before broken versions of blog-app',
  blogAppMutants.filter((mutant) => !quickBlogAppMutants.includes(mutant)),
  mutatedBlogApp,
)
