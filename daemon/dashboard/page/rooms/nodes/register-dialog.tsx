import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-state.tsx'
import { Field, Select } from '../../components/field.tsx'
import { api } from '../../state/api.ts'
import { reportChange } from '../../state/live.ts'
import { showToast } from '../../state/toasts.ts'

type Kind = 'tcp' | 'unix' | 'local'

const kinds = [
  { value: 'tcp', text: 'Another machine, over TLS' },
  { value: 'unix', text: 'An engine on this machine' },
  { value: 'local', text: 'This machine itself' },
] as const

interface Draft {
  readonly name: string
  readonly kind: Kind
  readonly endpoint: string
  readonly address: string
  readonly reserved: string
  readonly ca: string
  readonly cert: string
  readonly key: string
}

const empty: Draft = {
  name: '',
  kind: 'tcp',
  endpoint: '',
  address: '',
  reserved: '',
  ca: '',
  cert: '',
  key: '',
}

/** Registers a node, or corrects the node of that name. The daemon probes it before it writes anything. */
export function RegisterDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const [draft, setDraft] = useState<Draft>(empty)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const set = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes })

  async function register(): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await api.call('registerNode', { body: bodyOf(draft) }, { timeoutMs: probeMs })
      reportChange('nodes', 'stats')
      showToast(`Node ${draft.name} is registered.`, { tone: 'good' })
      onClose()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }

  return (
    <Dialog
      title="Register a node"
      onClose={onClose}
      onSubmit={() => void register()}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" isSubmit isBusy={isBusy}>
            Probe and register
          </Button>
        </>
      }
    >
      <p>
        The daemon probes the node first, and writes nothing if the probe fails. The name of a known
        node corrects that node.
      </p>
      <Field
        label="Name"
        value={draft.name}
        onInput={(name) => set({ name })}
        isRequired
        isFocusedFirst
      />
      <Select
        label="Kind"
        value={draft.kind}
        options={kinds}
        onChange={(kind) => set({ kind, endpoint: '' })}
      />
      {draft.kind !== 'local' && <EngineFields draft={draft} set={set} />}
      <Field
        label="Memory to keep free, in MiB"
        value={draft.reserved}
        onInput={(reserved) => set({ reserved })}
        type="number"
        hint="Apps of this node leave this much memory to other programs. Default: 0."
      />
      {error !== undefined && <ErrorNote error={error} />}
    </Dialog>
  )
}

/** A probe of an unreachable machine waits for the time limit of the network. */
const probeMs = 120_000

function EngineFields({
  draft,
  set,
}: {
  draft: Draft
  set: (changes: Partial<Draft>) => void
}): JSX.Element {
  const isRemote = draft.kind === 'tcp'
  return (
    <>
      <Field
        label="Endpoint"
        value={draft.endpoint}
        onInput={(endpoint) => set({ endpoint })}
        placeholder={isRemote ? 'tcp://10.0.0.7:2376' : 'unix:///var/run/docker.sock'}
        isMono
        isRequired
      />
      {isRemote && (
        <>
          <Field
            label="Address of its apps"
            value={draft.address}
            onInput={(address) => set({ address })}
            placeholder="10.0.0.7"
            hint="The gateway reaches apps of the node here. Default: the host of the endpoint."
            isMono
          />
          <Field label="CA certificate" value={draft.ca} onInput={(ca) => set({ ca })} {...pem} />
          <Field
            label="Client certificate"
            value={draft.cert}
            onInput={(cert) => set({ cert })}
            {...pem}
          />
          <Field
            label="Client key"
            value={draft.key}
            onInput={(key) => set({ key })}
            {...pem}
            hint="The daemon keeps the key encrypted, and never shows it again. Without TLS the daemon refuses a remote node."
          />
        </>
      )}
    </>
  )
}

const pem = { rows: 3, isMono: true, placeholder: '-----BEGIN …' } as const

function bodyOf(draft: Draft) {
  const { kind, endpoint, address, ca, cert, key, reserved } = draft
  const isRemote = kind === 'tcp'
  return {
    name: draft.name.trim(),
    endpoint: kind === 'local' ? 'local' : endpoint.trim(),
    ...(isRemote && address.trim() !== '' && { address: address.trim() }),
    ...(isRemote && ca !== '' && { tls_ca: ca }),
    ...(isRemote && cert !== '' && { tls_cert: cert }),
    ...(isRemote && key !== '' && { tls_key: key }),
    ...(reserved !== '' && { reserved_memory_mb: Number(reserved) }),
  }
}
