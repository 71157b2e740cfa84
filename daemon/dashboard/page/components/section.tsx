import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'

/** A part of a room with a heading. `kind` `card` draws a frame around the content. */
export function Section({
  title,
  note,
  actions,
  kind = 'plain',
  children,
}: {
  title: string
  /** A sentence below the heading. */
  note?: ComponentChildren
  actions?: ComponentChildren
  kind?: 'plain' | 'card' | 'danger'
  children: ComponentChildren
}): JSX.Element {
  const id = useId()
  return (
    <section class={`section section-${kind}`} aria-labelledby={id}>
      <div class="section-head">
        <div>
          <h2 id={id}>{title}</h2>
          {note && <p class="note">{note}</p>}
        </div>
        {actions && <div class="row">{actions}</div>}
      </div>
      {children}
    </section>
  )
}
