import { type Outcome, outcomeOf, passed } from './outcome.ts'
import { npm } from './run-npm.ts'

/** Number of lines of a tool's output to print. */
const shownLines = 40

/** Generates the project's code, then type-checks the whole project. */
export async function checkTypes(root: string): Promise<Outcome> {
  const generated = await npm(root, ['run', '--silent', '--if-present', 'generate'])
  return generated.isSuccess
    ? runTool(root, ['tsc', '--noEmit', '--pretty', 'false'])
    : failureOf(generated.output)
}

export function checkLint(root: string): Promise<Outcome> {
  return runTool(root, ['biome', 'check', '--colors=off'])
}

/** Runs the app's tests; with `TEST_DATABASE_URL`, the store tests run on that server. */
export function checkTests(root: string): Promise<Outcome> {
  return runTool(root, ['vitest', 'run'])
}

/** Runs a tool that the project has installed; never downloads one. */
async function runTool(root: string, command: readonly string[]): Promise<Outcome> {
  const { isSuccess, output } = await npm(root, ['exec', '--no', '--', ...command])
  return isSuccess ? passed : failureOf(output)
}

/** Returns `failed` with the last lines of an output. */
export function failureOf(output: string): Outcome {
  const lines = output.trimEnd().split('\n').slice(-shownLines)
  return outcomeOf(lines)
}
