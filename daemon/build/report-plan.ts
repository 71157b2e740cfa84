import { maskSecrets } from '../domain/mask-secrets.ts'
import type { BuildPlan, OutputSink } from '../ports.ts'
import { printLine } from './command.ts'

/** Prints what was recognized, why, and the steps that follow. */
export function reportPlan(
  { app, install, build, launch }: BuildPlan,
  output: OutputSink,
  secrets: readonly string[],
): void {
  const place = launch.root === '' ? '' : ` in ${launch.root}`
  const [first = app.kind, ...notes] = app.reasons
  const lines = [
    `recognized${place}: ${first}`,
    ...notes.map((note) => `  ${note}`),
    ...Object.entries({ install, build, start: app.site ? null : launch.start }).flatMap(
      ([name, argv]) => (argv && argv.length > 0 ? [`  ${name}: ${argv.join(' ')}`] : []),
    ),
    ...(launch.processes ?? []).map(({ name, start }) => `  ${name}: ${start.join(' ')}`),
    ...(app.site ? [`  serve: ${app.site.folder === '' ? '.' : app.site.folder}`] : []),
  ]
  for (const line of lines) printLine(output, maskSecrets(line, secrets))
}
