import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'

interface Shared {
  readonly label: string
  /** A sentence below the field. */
  readonly hint?: ComponentChildren
  /** A sentence that says what is wrong; it replaces the hint. */
  readonly error?: string | undefined
}

export interface FieldProps extends Shared {
  readonly value: string
  readonly onInput: (value: string) => void
  readonly type?: 'text' | 'password' | 'search' | 'number' | 'url'
  readonly placeholder?: string
  /** Token of the browser's autofill; default `off`. */
  readonly autocomplete?: 'off' | 'current-password' | 'new-password'
  readonly isRequired?: boolean
  readonly isMono?: boolean
  /** Shows several lines. */
  readonly rows?: number
  readonly isFocusedFirst?: boolean
}

/** A text field with its label, its hint and its error. */
export function Field(props: FieldProps): JSX.Element {
  const { value, onInput, type = 'text', placeholder, autocomplete = 'off', rows } = props
  const id = useId()
  const shared = {
    id,
    value,
    placeholder,
    autocomplete,
    class: `input${props.isMono ? ' mono' : ''}`,
    required: props.isRequired ?? false,
    spellcheck: false,
    autocapitalize: 'off' as const,
    'aria-invalid': props.error !== undefined,
    'aria-describedby': `${id}-note`,
    'data-autofocus': props.isFocusedFirst ? '' : undefined,
  }
  return (
    <Labelled id={id} {...props}>
      {rows === undefined ? (
        // The cast is safe: the types of `input` forbid `list` for some types only, and it is not set here.
        <input
          {...shared}
          type={type as 'text'}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      ) : (
        <textarea {...shared} rows={rows} onInput={(event) => onInput(event.currentTarget.value)} />
      )}
    </Labelled>
  )
}

export interface SelectProps<Value extends string> extends Shared {
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly text: string }[]
  readonly onChange: (value: Value) => void
}

/** A choice of one of several values. */
export function Select<Value extends string>(props: SelectProps<Value>): JSX.Element {
  const id = useId()
  return (
    <Labelled id={id} {...props}>
      <select
        id={id}
        class="input select"
        value={props.value}
        aria-invalid={props.error !== undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => {
          const option = props.options[event.currentTarget.selectedIndex]
          if (option) props.onChange(option.value)
        }}
      >
        {props.options.map(({ value, text }) => (
          <option key={value} value={value} selected={value === props.value}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

/** A box to tick with its text. */
export function Checkbox({
  label,
  hint,
  isTicked,
  onChange,
}: {
  label: string
  hint?: ComponentChildren
  isTicked: boolean
  onChange: (isTicked: boolean) => void
}): JSX.Element {
  const id = useId()
  return (
    <div class="checkbox">
      <input
        id={id}
        type="checkbox"
        checked={isTicked}
        aria-describedby={hint ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p id={`${id}-note`} class="note">
          {hint}
        </p>
      )}
    </div>
  )
}

function Labelled({
  id,
  label,
  hint,
  error,
  children,
}: Shared & { id: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      <p id={`${id}-note`} class={error === undefined ? 'note' : 'note note-bad'}>
        {error ?? hint}
      </p>
    </div>
  )
}
