/** A trace or request id that links to all events with it. */
export function IdLink({ id, href }: { id: string; href: string | undefined }) {
  return (
    <a className="mono failure-id" href={href} title={id}>
      {id}
    </a>
  )
}
