import { View } from '../../view/view.jsx'

// Rendered for every request, like Sixpane's page.
export const dynamic = 'force-dynamic'

/** The dashboard as server components. The browser gets the rendered elements, but not the content behind them. */
export default function ServerPage() {
  return <View />
}
