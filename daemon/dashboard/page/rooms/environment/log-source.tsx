import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { visible } from '../../text/visible.ts'

/** Chooses whose log is shown: the web process with its build, another process, or a schedule. */
export function LogSource({
  processes,
  schedules,
  selected,
  onSelect,
}: {
  processes: readonly string[]
  schedules: readonly string[]
  /** Undefined: the web process. */
  selected: string | undefined
  onSelect: (name: string | undefined) => void
}): JSX.Element {
  const id = useId()
  const option = (name: string) => (
    <option key={name} value={name} selected={name === selected}>
      {visible(name)}
    </option>
  )
  return (
    <div class="log-source">
      <label for={id}>Process</label>
      <select
        id={id}
        class="input select"
        onChange={({ currentTarget: { value } }) => onSelect(value === '' ? undefined : value)}
      >
        <option value="" selected={selected === undefined}>
          web, with its build
        </option>
        {processes.length > 0 && <optgroup label="Processes">{processes.map(option)}</optgroup>}
        {schedules.length > 0 && <optgroup label="Schedules">{schedules.map(option)}</optgroup>}
      </select>
    </div>
  )
}
