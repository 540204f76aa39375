import { View } from '../../view/view.jsx'

// Rendered for every request, like Sixpane's page.
export const dynamic = 'force-dynamic'

/** The dashboard as server components: the browser gets its elements, and no content. */
export default function ServerPage() {
  return <View />
}
