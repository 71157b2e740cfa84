import type { JSX } from 'preact'
import type { Environment } from '../../../../client/contract.ts'
import { api } from '../../state/api.ts'
import { refusalOf } from '../../state/rights.ts'
import { useData } from '../../state/use-data.ts'
import { bytesText } from '../../text/format.ts'

/** Counts of live environments, and the memory of the host for tokens that may see it. */
export function Figures({ environments }: { environments: readonly Environment[] }): JSX.Element {
  const count = (...states: readonly Environment['state'][]) =>
    environments.filter(({ state }) => states.includes(state)).length
  return (
    <dl class="figures">
      <Figure title="Running" value={String(count('running'))} />
      <Figure title="Asleep" value={String(count('paused', 'hibernating'))} />
      {refusalOf({ kind: 'all-projects' }) === undefined && <HostFigures />}
    </dl>
  )
}

function HostFigures(): JSX.Element {
  const { data } = useData(
    'stats',
    async (signal) => (await api.call('readStats', {}, { signal })).body,
    ['stats', 'environments'],
  )
  const host = data?.host
  const used = host && host.memory_bytes - host.memory_free_bytes
  return (
    <>
      <Figure
        title="Memory of the host"
        value={used === undefined ? '…' : bytesText(used)}
        note={host ? `of ${bytesText(host.memory_bytes)}` : ''}
      />
      <Figure
        title="Trash"
        value={data ? bytesText(data.trash.bytes) : '…'}
        note={data ? `${data.trash.entries} kept` : ''}
      />
    </>
  )
}

function Figure({
  title,
  value,
  note,
}: {
  title: string
  value: string
  note?: string
}): JSX.Element {
  return (
    <div class="figure">
      <dt>{title}</dt>
      <dd>
        {value} {note && <span class="note">{note}</span>}
      </dd>
    </div>
  )
}
