import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { visits } from '../state/router.ts'
import { visible } from '../text/visible.ts'

/** The title of a room with its actions. It sets the title of the document, and takes the focus after a link. */
export function PageHeader({
  title,
  above,
  actions,
  children,
}: {
  title: string
  above?: ComponentChildren
  actions?: ComponentChildren
  /** Facts below the title. */
  children?: ComponentChildren
}): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${visible(title)} · Strata`
  }, [title])
  useEffect(() => {
    // The first room after a load leaves the focus to the browser.
    if (visits.peek() > 0) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <header class="page-header">
      {above}
      <div class="page-header-line">
        <h1 ref={heading} tabIndex={-1}>
          <bdi>{visible(title)}</bdi>
        </h1>
        {actions && <div class="row">{actions}</div>}
      </div>
      {children && <div class="page-header-facts">{children}</div>}
    </header>
  )
}

/** The way to the current room. The last item, the room itself, has no `href`. */
export function Breadcrumbs({
  items,
}: {
  items: readonly { readonly text: string; readonly href?: string }[]
}): JSX.Element {
  return (
    <nav aria-label="Breadcrumbs">
      <ol class="breadcrumbs">
        {items.map(({ text, href }) => (
          <li key={text}>
            {href === undefined ? (
              <bdi aria-current="page">{visible(text)}</bdi>
            ) : (
              <a href={href}>
                <bdi>{visible(text)}</bdi>
              </a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
