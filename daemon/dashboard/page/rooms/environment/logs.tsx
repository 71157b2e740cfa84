import type { JSX } from 'preact'
import type { Environment } from '../../../../client/contract.ts'
import type { LogStart } from '../../log/follow-log.ts'
import { LogView } from '../../log/log-view.tsx'
import { api } from '../../state/api.ts'
import { queryValue, setQueryValue } from '../../state/router.ts'
import { shortSha } from '../../text/format.ts'
import { LogSource } from './log-source.tsx'

/** The newest lines of the build and of the app, or of another process, and the lines that follow. */
export function LiveLog({
  environment,
  schedules,
}: {
  environment: Environment
  schedules: readonly string[]
}): JSX.Element {
  const others = environment.processes.map(({ name }) => name).filter((name) => name !== 'web')
  const asked = queryValue('process')
  const process = [...others, ...schedules].find((name) => name === asked)
  const of = process === undefined ? '' : `${process} of `
  return (
    <>
      {others.length + schedules.length > 0 && (
        <LogSource
          processes={others}
          schedules={schedules}
          selected={process}
          onSelect={(name) => setQueryValue('process', name)}
        />
      )}
      <LogView
        key={`log/${environment.id}/${process}`}
        open={openerOf(environment.id, process)}
        start={{ newest: 1_000 }}
        label={`Log of ${of}${environment.branch.name}`}
        fileName={`${process === undefined ? '' : `${process}-`}${fileNameOf(environment)}`}
        hasStreams
        emptyText={
          process === undefined
            ? 'No output yet. Lines appear here as soon as the build or the app writes them.'
            : 'No output yet. Lines appear here as soon as the process writes them.'
        }
      />
    </>
  )
}

/** The output of the build: the lines before the first line of the app. */
export function BuildOutput({ environment }: { environment: Environment }): JSX.Element {
  return (
    <LogView
      key={`build/${environment.id}`}
      open={openerOf(environment.id)}
      start={{ afterId: 0 }}
      isWanted={({ stream }) => stream === 'build'}
      label={`Build output of ${environment.branch.name}`}
      fileName={`build-${fileNameOf(environment)}`}
      hasStreams={false}
      emptyText="There is no build output: the build wrote nothing, or the log has grown so long that it was dropped."
    />
  )
}

function openerOf(id: number, process?: string) {
  return (start: LogStart, signal: AbortSignal): Promise<Response> => {
    const resume = 'afterId' in start ? { 'last-event-id': String(start.afterId) } : {}
    return api.open('followLogs', {
      params: { id },
      query: {
        ...('newest' in start && { lines: start.newest }),
        ...(process !== undefined && { process }),
      },
      headers: { accept: 'text/event-stream', ...resume },
      signal,
    })
  }
}

function fileNameOf({ branch }: Environment): string {
  return `${branch.name}-${shortSha(branch.commit_sha)}`
}
