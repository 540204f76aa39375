import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

/**
 * A button that opens a panel. The element itself opens and closes it, without a script too; with one, Escape and a
 * click elsewhere close it (shell/keys.ts).
 */
export function Menu(props: {
  label: ReactNode
  icon?: IconName
  /** Sets what stands in the panel apart for its styles. */
  className?: string
  open?: boolean
  children: ReactNode
}) {
  const { label, icon, className, open, children } = props
  return (
    <details className={className === undefined ? 'menu' : `menu ${className}`} data-menu open={open}>
      <summary className="button">
        {icon !== undefined && <Icon name={icon} />}
        {label}
        <Icon name="down" />
      </summary>
      <div className="menu-panel">{children}</div>
    </details>
  )
}
