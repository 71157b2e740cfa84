import type { JSX } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import type { Project } from '../../../../client/contract.ts'
import { Field, Select } from '../../components/field.tsx'
import { Icon } from '../../components/icon.tsx'
import { visible } from '../../components/name.tsx'
import { navigate } from '../../state/router.ts'
import type { AuditFilters } from './audit-query.ts'
import { auditKinds, kindLooks } from './kind-texts.ts'

/** The fields above the audit entries. A change shows at once, and goes into the address. */
export function AuditFilterFields({
  filters,
  projects,
}: {
  filters: AuditFilters
  projects: readonly Project[]
}): JSX.Element {
  const { project, branch, kind, since, until } = filters
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const active = [project, branch, kind, since, until].filter((value) => value !== undefined).length
  return (
    <>
      <button
        type="button"
        class="button button-plain audit-fold"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="search" />
        <span>{active === 0 ? 'Filters' : `Filters (${active})`}</span>
      </button>
      <form
        id={id}
        class={`audit-filters${isOpen ? '' : ' is-folded'}`}
        aria-label="Filters"
        onSubmit={(event) => event.preventDefault()}
      >
        <Select
          label="Project"
          value={String(project ?? '')}
          options={[
            { value: '', text: 'All projects' },
            ...projects.map(({ id, name }) => ({ value: String(id), text: visible(name) })),
          ]}
          onChange={(value) => setFilter('project', value)}
        />
        <BranchField branch={branch} />
        <Select
          label="Event"
          value={kind ?? ''}
          options={[
            { value: '', text: 'All events' },
            ...auditKinds.map((value) => ({ value, text: kindLooks[value].text })),
          ]}
          onChange={(value) => setFilter('kind', value)}
        />
        <TimeField label="From" value={since} onChange={(value) => setFilter('since', value)} />
        <TimeField label="To" value={until} onChange={(value) => setFilter('until', value)} />
      </form>
    </>
  )
}

const typingMs = 300

/** Filters when the person has stopped typing: the API takes whole names only. */
function BranchField({ branch }: { branch: string | undefined }): JSX.Element {
  const [typed, setTyped] = useState(branch ?? '')
  useEffect(() => setTyped(branch ?? ''), [branch])
  useEffect(() => {
    if (typed.trim() === (branch ?? '')) return
    const timer = setTimeout(() => setFilter('branch', typed.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  return <Field label="Branch" placeholder="Whole name" value={typed} onInput={setTyped} />
}

function TimeField({
  label,
  value,
  onChange,
}: {
  label: string
  value: string | undefined
  onChange: (value: string) => void
}): JSX.Element {
  return (
    <label class="field audit-time">
      <span>{label}</span>
      <input
        class="input"
        type="datetime-local"
        value={value ?? ''}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  )
}

/** Changes a filter and returns to the newest entries. An empty value removes the filter. */
function setFilter(name: string, value: string): void {
  const url = new URL(location.href)
  url.searchParams.delete('before')
  if (value === '') url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  navigate(url.pathname + url.search, { replace: true })
}
