import type { ReactNode } from 'react'
import type { Tone } from './badge.tsx'
import { Icon, type IconName } from './icon.tsx'

const icons: Record<Tone, IconName> = {
  neutral: 'info',
  muted: 'info',
  accent: 'info',
  ok: 'check',
  warn: 'warn',
  bad: 'error',
}

/**
 * A message box. With the tone `bad`, it is an alert, which interrupts screen readers. Set `isOutcome` if it shows the
 * result of the form that was just submitted.
 */
export function Notice(props: { tone: Tone; title: string; isOutcome?: boolean; children?: ReactNode }) {
  return (
    <div
      className="notice"
      data-tone={props.tone}
      data-outcome={props.isOutcome ? '' : undefined}
      role={props.tone === 'bad' ? 'alert' : 'status'}
    >
      <Icon name={icons[props.tone]} />
      <div className="notice-text">
        <strong>{props.title}</strong>
        {props.children !== undefined && <div>{props.children}</div>}
      </div>
    </div>
  )
}

/** Replaces an empty list. Explains why it is empty and what to do about it. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children}
    </div>
  )
}
