import { createFileRoute } from '@tanstack/react-router'
import page from '../../view/page.json'
import { View } from '../../view/view.jsx'

export const Route = createFileRoute('/dashboard')({ loader: () => page.content, component: Dashboard })

function Dashboard() {
  return <View content={Route.useLoaderData()} />
}
