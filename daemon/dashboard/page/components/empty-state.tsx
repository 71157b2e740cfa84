import type { ComponentChildren, JSX } from 'preact'
import { Icon, type IconName } from './icon.tsx'

/** Says that there is nothing yet, and what to do next. */
export function EmptyState({
  icon,
  title,
  children,
  actions,
}: {
  icon: IconName
  title: string
  children?: ComponentChildren
  actions?: ComponentChildren
}): JSX.Element {
  return (
    <div class="state">
      <Icon name={icon} size={24} />
      <h2>{title}</h2>
      {children && <div class="state-text">{children}</div>}
      {actions && <div class="row">{actions}</div>}
    </div>
  )
}
