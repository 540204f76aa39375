import type { ComponentProps, ReactNode } from 'react'

type Kind = 'primary' | 'plain' | 'danger'

export function Button({
  kind = 'plain',
  type = 'button',
  ...rest
}: { kind?: Kind } & ComponentProps<'button'>) {
  return <button {...rest} type={type} className="button" data-kind={kind} />
}

/** A link styled as a button. */
export function ButtonLink(props: { href: string; kind?: Kind; children: ReactNode }) {
  return (
    <a className="button" data-kind={props.kind ?? 'plain'} href={props.href}>
      {props.children}
    </a>
  )
}
