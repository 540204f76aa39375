import page from '../../view/page.json'
import { ClientView } from './client-view.jsx'

// Rendered for every request, like Sixpane's page.
export const dynamic = 'force-dynamic'

/** The dashboard as one client component, which gets its content as a property. */
export default function ClientPage() {
  return <ClientView content={page.content} />
}
