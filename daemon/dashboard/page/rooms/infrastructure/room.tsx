import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { InfraStatus, Stats } from '../../../../client/contract.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Section } from '../../components/section.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { roleNeed } from '../../state/rights.ts'
import { showToast } from '../../state/toasts.ts'
import { useData } from '../../state/use-data.ts'
import { asSentence } from '../../text/error-text.ts'
import { counted } from '../../text/format.ts'
import { CheckList } from './check-list.tsx'
import { Facts } from './facts.tsx'

interface InfraData {
  readonly status: InfraStatus
  readonly stats: Stats
}

/** Whether the daemon is set up: its parts, the separations between projects, and the next steps. */
export function Room(): JSX.Element {
  const { data, error, reload } = useData('infrastructure', read, ['infrastructure'])
  const [isRepairing, setRepairing] = useState(false)
  return (
    <>
      <PageHeader
        title="Infrastructure"
        actions={
          <Button icon="refresh" needs={roleNeed('admin')} onClick={() => setRepairing(true)}>
            Complete the setup
          </Button>
        }
      />
      {data ? (
        <Content data={data} />
      ) : error === undefined ? (
        <Skeleton kind="rows" rows={6} />
      ) : (
        <ErrorState error={error} onRetry={reload} />
      )}
      {isRepairing && <BootstrapDialog onClose={() => setRepairing(false)} />}
    </>
  )
}

function Content({ data: { status, stats } }: { data: InfraData }): JSX.Element {
  const { checks, walls, next_steps: steps } = status
  const standing = walls.filter(({ stands }) => stands).length
  return (
    <>
      <Facts stats={stats} />
      {steps.length > 0 && (
        <Section title="Next steps" kind="card">
          <ol class="next-steps">
            {steps.map((step) => (
              <li key={step}>
                <bdi>{asSentence(step)}</bdi>
              </li>
            ))}
          </ol>
        </Section>
      )}
      <Section title="Parts" note={noteOf(checks)}>
        <CheckList
          label="Parts of the setup"
          items={checks.map(({ name, ok, detail }) => ({ name, isGood: ok, detail }))}
          words={{ good: 'Works', bad: 'Missing' }}
        />
      </Section>
      <Section
        title="Walls between projects"
        note={`${standing} of ${walls.length} stand. They keep an app from the files, processes and memory of other projects.`}
      >
        <CheckList
          label="Walls between projects"
          items={walls.map(({ name, stands, detail }) => ({ name, isGood: stands, detail }))}
          words={{ good: 'Stands', bad: 'Open' }}
        />
      </Section>
      <KeySection />
    </>
  )
}

function noteOf(checks: InfraStatus['checks']): string {
  const missing = checks.filter(({ ok }) => !ok).length
  return missing === 0 ? 'Everything is wired.' : `${counted(missing, 'part')} to look at.`
}

function BootstrapDialog({ onClose }: { onClose: () => void }): JSX.Element {
  async function bootstrap(): Promise<void> {
    await api.call('bootstrapInfra')
    reportChange('infrastructure', 'nodes')
    showToast('The setup is complete, as far as the daemon can complete it.', { tone: 'good' })
  }
  return (
    <ConfirmDialog
      title="Complete the setup"
      effects={[
        'The daemon creates missing folders, registers this machine as a node if there is none, and sends all routes to the gateway again.',
        'Apps go on running. Doing this twice changes nothing more.',
      ]}
      verb="Complete"
      onConfirm={bootstrap}
      onClose={onClose}
    />
  )
}

function KeySection(): JSX.Element {
  const [isRotating, setRotating] = useState(false)
  async function rotate(): Promise<void> {
    const { body } = await api.call('rotateKey', {}, { timeoutMs: 10 * 60_000 })
    reportChange('infrastructure', 'audit')
    showToast(`${counted(body.values, 'value')} encrypted with a new key.`, { tone: 'good' })
  }
  return (
    <Section
      title="Master key"
      note="The key encrypts secrets, git tokens and certificates in the database. Rotate it after a leak, or after a person who knew it left."
      kind="card"
    >
      <Button icon="refresh" needs={{ kind: 'master' }} onClick={() => setRotating(true)}>
        Rotate key
      </Button>
      {isRotating && (
        <ConfirmDialog
          title="Rotate the master key"
          effects={[
            'The daemon creates a new key and encrypts every secret with it, in one step.',
            'Apps go on running with the values that they have. Nobody has to sign in again.',
            'Earlier backups need the earlier key, which each of them contains. Make a new backup afterwards.',
          ]}
          verb="Rotate"
          onConfirm={rotate}
          onClose={() => setRotating(false)}
        />
      )}
    </Section>
  )
}

async function read(signal: AbortSignal): Promise<InfraData> {
  const [status, stats] = await Promise.all([
    api.call('readInfraStatus', {}, { signal }),
    api.call('readStats', {}, { signal }),
  ])
  return { status: status.body, stats: stats.body }
}
