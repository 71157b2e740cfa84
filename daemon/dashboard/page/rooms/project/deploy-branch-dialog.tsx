import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { Project } from '../../../../client/contract.ts'
import { deployEffects } from '../../actions/deploy-dialog.tsx'
import { deploy } from '../../actions/requests.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'

/** Asks for a branch and deploys it. `branches` are those deployed before, which the field proposes. */
export function DeployBranchDialog({
  project,
  branches,
  onClose,
}: {
  project: Project
  branches: readonly string[]
  onClose: () => void
}): JSX.Element {
  const id = useId()
  const [name, setName] = useState(project.default_branch ?? branches[0] ?? 'main')
  return (
    <ConfirmDialog
      title="Deploy a branch"
      effects={deployEffects(false)}
      verb="Deploy"
      onConfirm={async () => {
        if (name.trim() === '') throw new Error('give the name of a branch')
        await deploy({ projectId: project.id, name: name.trim() })
      }}
      onClose={onClose}
    >
      <div class="field">
        <label for={id}>Branch</label>
        <input
          id={id}
          class="input mono"
          list={`${id}-known`}
          value={name}
          required
          spellcheck={false}
          autocomplete="off"
          data-autofocus=""
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <datalist id={`${id}-known`}>
          {branches.map((branch) => (
            <option key={branch} value={branch} />
          ))}
        </datalist>
      </div>
    </ConfirmDialog>
  )
}
