import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Project } from '../../../../client/contract.ts'
import { Select } from '../../components/field.tsx'
import { SecretsPanel } from '../../components/secrets-panel.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { roleNeed } from '../../state/rights.ts'
import { showToast } from '../../state/toasts.ts'
import { useData } from '../../state/use-data.ts'
import { visible } from '../../text/visible.ts'

/** The secrets of a project, or of one of its branches. */
export function ProjectSecrets({
  project,
  branches,
}: {
  project: Project
  branches: readonly string[]
}): JSX.Element {
  const { id } = project
  const [branch, setBranch] = useState('')
  const query = branch === '' ? {} : { branch }
  const secrets = useData(
    `secrets/${id}/${branch}`,
    async (signal) => {
      const { body } = await api.call('listProjectSecrets', { params: { id }, query }, { signal })
      return body.secrets
    },
    ['secrets'],
  )
  const scopeText = branch === '' ? 'every branch' : `the branch ${visible(branch)}`
  return (
    <>
      <div class="narrow">
        <Select
          label="Scope"
          value={branch}
          options={[
            { value: '', text: 'Every branch' },
            ...branches.map((name) => ({ value: name, text: `Branch ${visible(name)}` })),
          ]}
          onChange={setBranch}
          hint="A secret of a branch wins over one of the project, and that one over a global secret."
        />
      </div>
      <SecretsPanel
        key={branch}
        secrets={secrets}
        scopeText={scopeText}
        needs={roleNeed('maintainer', id)}
        onSet={async (name, value) => {
          await api.call('setProjectSecret', { params: { id }, body: { name, value, ...query } })
          reportChange('secrets', 'audit')
          showToast(`${name} is set for ${scopeText}. The next deploy uses it.`, { tone: 'good' })
        }}
        onDelete={async (name) => {
          await api.call('removeProjectSecret', { params: { id, name }, query })
          reportChange('secrets', 'audit')
          showToast(`${name} is deleted.`, { tone: 'good' })
        }}
      />
    </>
  )
}
