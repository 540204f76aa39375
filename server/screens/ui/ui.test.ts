import t from 'tap'
import { uiGroups } from '../../../shared/screens/ui.ts'
import { fakeContext, fakeRequest } from '../../testing/fake-context.ts'
import { ui } from './ui.ts'

async function groupAt(query: string) {
  const response = await ui.get(fakeRequest(query), fakeContext())
  return response.kind === 'content' ? response.content.group : null
}

t.test('each component group has a separate page', async t => {
  for (const group of uiGroups) t.equal(await groupAt(`group=${group}`), group)
})

t.test('shows the first group if the requested group is missing or unknown', async t => {
  t.equal(await groupAt(''), uiGroups[0])
  t.equal(await groupAt('group=nothing'), uiGroups[0])
})
