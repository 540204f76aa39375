import t from 'tap'
import { uiGroups } from '../../../shared/screens/ui.ts'
import { fakeContext, fakeRequest } from '../../testing/fake-context.ts'
import { ui } from './ui.ts'

async function groupAt(query: string) {
  const response = await ui.get(fakeRequest(query), fakeContext())
  return response.kind === 'content' ? response.content.group : null
}

t.test('each group of components has its own page', async t => {
  for (const group of uiGroups) t.equal(await groupAt(`group=${group}`), group)
})

t.test('without a known group, the first one is shown', async t => {
  t.equal(await groupAt(''), uiGroups[0])
  t.equal(await groupAt('group=nothing'), uiGroups[0])
})
