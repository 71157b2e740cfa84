import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-state.tsx'
import { Field, Select } from '../../components/field.tsx'
import { visible } from '../../text/visible.ts'
import { DnsRecords } from './dns-records.tsx'
import { dnsRefusalOf, requestDomain } from './request-domain.ts'

/** The dialog that registers a domain. It waits with the records to set until the domain leads to this server. */
export function AddDomain({
  projectId,
  branches,
  onClose,
}: {
  projectId: number
  branches: readonly string[]
  onClose: () => void
}): JSX.Element {
  const [domain, setDomain] = useState('')
  const [branch, setBranch] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const records = dnsRefusalOf(error)?.records

  async function add(): Promise<void> {
    setBusy(true)
    try {
      await requestDomain({ projectId, domain: domain.trim().toLowerCase(), branch })
      onClose()
    } catch (fault) {
      setError(fault)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      title="Add a domain"
      onClose={onClose}
      onSubmit={() => void add()}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" isSubmit isBusy={isBusy} isDisabled={domain.trim() === ''}>
            {records ? 'Check again' : 'Add'}
          </Button>
        </>
      }
    >
      <p>
        The daemon checks that the name leads to this server. Visitors then reach the branch at it,
        and the daemon gets a certificate if it has an authority.
      </p>
      <Field
        label="Domain"
        value={domain}
        onInput={setDomain}
        placeholder="shop.example.com"
        isMono
        isRequired
        isFocusedFirst
      />
      <Select
        label="Branch"
        value={branch}
        options={[
          { value: '', text: 'Default branch' },
          ...branches.map((name) => ({ value: name, text: visible(name) })),
        ]}
        onChange={setBranch}
      />
      {error !== undefined && <ErrorNote error={error} />}
      {records && (
        <section class="waiting" aria-label="Waiting for DNS">
          <h3>Waiting for DNS</h3>
          <DnsRecords domain={domain.trim()} records={records} />
        </section>
      )}
    </Dialog>
  )
}
