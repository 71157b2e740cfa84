import type { Reporter, TestCase, TestSuite } from 'vitest/node'

/** Returns a reporter that prints a line for each finished test suite, and each failure immediately. */
export function progress(print: (line: string) => void): Reporter {
  const startedMs = Date.now()
  return {
    onTestCaseResult(test) {
      const { state, errors } = test.result()
      if (state === 'failed') print(`FAILED ${test.fullName}\n${textOf(errors)}`)
    },
    onTestSuiteResult(suite) {
      const tests = [...suite.children.tests()]
      const seconds = Math.round((Date.now() - startedMs) / 1000)
      if (tests.length > 0) print(`${seconds} s\t${suite.fullName}: ${countsOf(tests)}`)
      if (suite.errors().length > 0) print(`FAILED ${suite.fullName}\n${textOf(suite.errors())}`)
    },
    onTestModuleEnd(module) {
      if (module.errors().length > 0) print(`FAILED\n${textOf(module.errors())}`)
    },
    onTestRunEnd(_modules, unhandled) {
      if (unhandled.length > 0) print(`FAILED outside of the tests\n${textOf(unhandled)}`)
    },
  }
}

function countsOf(tests: readonly TestCase[]): string {
  const states = tests.map((test) => test.result().state)
  return (['passed', 'failed', 'skipped', 'pending'] as const)
    .map((state) => [states.filter((each) => each === state).length, state] as const)
    .filter(([count]) => count > 0)
    .map(([count, state]) => `${count} ${state}`)
    .join(', ')
}

function textOf(errors: readonly Thrown[] = []): string {
  return errors.map(({ stack, message, diff }) => [stack ?? message, diff].join('\n')).join('\n')
}

type Thrown = ReturnType<TestSuite['errors']>[number]
