import { parseArgs } from 'node:util'
import { outcomeOf } from './suite/check.ts'
import { appNames, suites } from './suite/suites.ts'

/** `npm run conformance -- --url http://127.0.0.1:8080 [--app user] [--only <words>]` */

const usage = `usage: npm run conformance -- --url <origin> [--app ${appNames.join('|')}] [--only <words of a title>]`

process.exitCode = await main(process.argv.slice(2))

/** Exit code: 0 every check passed, 1 one failed, 2 bad usage. */
async function main(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv)
  if (options === undefined) {
    console.error(usage)
    return 2
  }
  const checks = suites[options.name].filter(({ title }) => title.includes(options.only))
  let failed = 0
  for (const check of checks) {
    const { title, failure } = await outcomeOf(check, { baseUrl: options.url })
    console.log(`${failure === undefined ? 'ok  ' : 'FAIL'} ${title}`)
    if (failure !== undefined) {
      failed += 1
      console.log(indented(failure instanceof Error ? failure.message : String(failure)))
    }
  }
  console.log(`${checks.length - failed} of ${checks.length} checks passed`)
  return failed === 0 && checks.length > 0 ? 0 : 1
}

function optionsOf(argv: readonly string[]) {
  try {
    const text = { type: 'string' } as const
    const { values } = parseArgs({ args: [...argv], options: { url: text, app: text, only: text } })
    const name = appNames.find((each) => each === (values.app ?? 'user'))
    const { protocol, origin } = new URL(values.url ?? '')
    if (name === undefined || protocol !== 'http:') return undefined
    return { name, url: origin, only: values.only ?? '' }
  } catch {
    return undefined // an unknown option or no URL: the caller prints the usage
  }
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '     ')
}
