import type { JSX } from 'preact'
import { PageHeader } from '../../components/page-header.tsx'
import { SecretsPanel } from '../../components/secrets-panel.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { roleNeed } from '../../state/rights.ts'
import { showToast } from '../../state/toasts.ts'
import { useData } from '../../state/use-data.ts'

/** The secrets of all projects. */
export function Room(): JSX.Element {
  const secrets = useData(
    'secrets',
    async (signal) => (await api.call('listGlobalSecrets', {}, { signal })).body.secrets,
    ['secrets'],
  )
  return (
    <>
      <PageHeader title="Global secrets">
        <span>Every project gets these. A secret of a project or a branch wins.</span>
      </PageHeader>
      <SecretsPanel
        secrets={secrets}
        scopeText="every project"
        needs={roleNeed('admin')}
        onSet={async (name, value) => {
          await api.call('setGlobalSecret', { body: { name, value } })
          reportChange('secrets', 'audit')
          showToast(`${name} is set for every project.`, { tone: 'good' })
        }}
        onDelete={async (name) => {
          await api.call('removeGlobalSecret', { params: { name } })
          reportChange('secrets', 'audit')
          showToast(`${name} is deleted.`, { tone: 'good' })
        }}
      />
    </>
  )
}
