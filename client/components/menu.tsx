import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

/**
 * A button that opens a panel. It is a `<details>` element, so it works without JavaScript. With JavaScript, Escape or a
 * click outside closes the panel. With `startsWithField`, opening the panel focuses its text field (shell/keys.ts).
 */
export function Menu(props: {
  label: ReactNode
  icon?: IconName
  className?: string
  open?: boolean
  startsWithField?: boolean
  children: ReactNode
}) {
  const { label, icon, className, open, startsWithField, children } = props
  return (
    <details
      className={className === undefined ? 'menu' : `menu ${className}`}
      data-menu={startsWithField ? 'field' : true}
      open={open}
    >
      <summary className="button">
        {icon !== undefined && <Icon name={icon} />}
        {label}
        <Icon name="down" />
      </summary>
      <div className="menu-panel">{children}</div>
    </details>
  )
}
