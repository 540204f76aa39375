import { readFile } from 'node:fs/promises'
import { parsePacked } from '../../copied/shared/packed-json.ts'
import { View } from './view.jsx'

// Rendered for every request, like Sixpane's page.
export const dynamic = 'force-dynamic'

const page = parsePacked(await readFile(new URL(`file://${process.env.BENCH_PAGE}`), 'utf8'))

export default function DashboardPage() {
  return <View page={page} />
}
