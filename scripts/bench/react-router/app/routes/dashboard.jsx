import page from '../../view/page.json'
import { View } from '../../view/view.jsx'

export function loader() {
  return page.content
}

export default function Dashboard({ loaderData }) {
  return <View content={loaderData} />
}
