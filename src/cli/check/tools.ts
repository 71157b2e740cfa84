import { failedBy, type Outcome, passed } from './outcome.ts'
import { npm } from './run.ts'

/** Lines of a tool's output that a person is shown. */
const shownLines = 40

/** TypeScript, over the whole project, its generated code made first. */
export async function checkTypes(root: string): Promise<Outcome> {
  const generated = await npm(root, ['run', '--silent', '--if-present', 'generate'])
  return generated.isDone
    ? tool(root, ['tsc', '--noEmit', '--pretty', 'false'])
    : told(generated.output)
}

export function checkLint(root: string): Promise<Outcome> {
  return tool(root, ['biome', 'check', '--colors=off'])
}

/** The app's own; on a store's server too, where `TEST_DATABASE_URL` names one. */
export function checkTests(root: string): Promise<Outcome> {
  return tool(root, ['vitest', 'run'])
}

/** Of the project alone: nothing is fetched. */
async function tool(root: string, command: readonly string[]): Promise<Outcome> {
  const { isDone, output } = await npm(root, ['exec', '--no', '--', ...command])
  return isDone ? passed : told(output)
}

export function told(output: string): Outcome {
  const lines = output.trimEnd().split('\n').slice(-shownLines)
  return failedBy(lines)
}
