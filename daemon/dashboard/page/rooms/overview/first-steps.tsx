import type { JSX } from 'preact'
import { Button } from '../../components/button.tsx'
import { CopyLine } from '../../components/copy-line.tsx'
import { Icon } from '../../components/icon.tsx'
import { roleNeed } from '../../state/rights.ts'
import { RegisterDialog } from '../projects/register-dialog.tsx'

/** The first three commands, for a daemon without a project. */
export function FirstSteps({
  isRegistering,
  onRegister,
}: {
  isRegistering: boolean
  onRegister: (isOpen: boolean) => void
}): JSX.Element {
  return (
    <section class="card first-steps" aria-labelledby="first-steps-title">
      <Icon name="projects" size={24} />
      <h2 id="first-steps-title">No project yet</h2>
      <p class="muted">
        Deploy a folder with a git repository from your terminal. The last command registers the
        project, deploys its branch and prints its address.
      </p>
      <ol>
        <li>
          <CopyLine label="the first command" text={`strata login ${location.origin}`} />
        </li>
        <li>
          <CopyLine label="the second command" text="cd my-app" />
        </li>
        <li>
          <CopyLine label="the third command" text="strata up" />
        </li>
      </ol>
      <p class="muted">Or register a repository here, and deploy any of its branches.</p>
      <div class="row">
        <Button
          icon="plus"
          tone="primary"
          needs={roleNeed('admin')}
          onClick={() => onRegister(true)}
        >
          Register a project
        </Button>
      </div>
      {isRegistering && <RegisterDialog onClose={() => onRegister(false)} />}
    </section>
  )
}
