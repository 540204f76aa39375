import t from 'tap'
import type { PaletteEntry } from '../../shared/palette-entry.ts'
import { type Command, commandsFor, commandsOf, screenCommands } from './commands.ts'

const service = (label: string): PaletteEntry => ({
  kind: 'service',
  label,
  hint: 'log',
  searchText: '',
  href: `/${label}`,
})
const all: Command[] = [
  ...screenCommands,
  ...commandsOf([
    service('overpay'),
    service('pay'),
    {
      kind: 'failure',
      label: 'TypeError: no total',
      hint: 'shop',
      searchText: 'a41c09be72 2338471',
      href: '/development?failure=a41c09be72',
    },
  ]),
  { group: 'Actions', label: 'Copy link to this view', act() {} },
]
const labels = (text: string, commands = all) => commandsFor(text, commands).map(({ label }) => label)

t.test('without text, lists every group, up to the limit per group', async t => {
  t.same(labels(''), [
    'Home',
    'Activities',
    'Dashboard',
    'Development',
    'Settings',
    'UI',
    'overpay',
    'pay',
    'TypeError: no total',
    'Copy link to this view',
  ])
  t.equal(commandsFor('  ', commandsOf(Array.from({ length: 50 }, (_, n) => service(`s${n}`)))).length, 8)
})

t.test('matches every word, ignoring case, and ranks prefix matches first', async t => {
  t.same(labels('PAY'), ['pay', 'overpay', 'Search the log for PAY'])
  t.same(labels('total shop'), ['TypeError: no total', 'Search the log for total shop'])
  t.same(labels('pay metrics'), ['Search the log for pay metrics'])
})

t.test('finds a known failure by its digest, and offers a link for any digest', async t => {
  t.match(commandsFor('2338471', all), [
    { label: 'Open failure with digest 2338471', href: '/activities?q=2338471' },
    { label: 'TypeError: no total', href: '/development?failure=a41c09be72' },
    { label: /^Search/ },
  ])
  t.match(commandsFor('9f3ac41b07de', all), [{ label: 'Open failure with digest 9f3ac41b07de' }, {}])
  t.match(commandsFor('4163817072@E352', all), [{ href: '/activities?q=4163817072%40E352' }, {}])
})

t.test('finds a digest in pasted text', async t => {
  for (const [text, q] of [
    ['ERROR 2338471', 'ERROR+2338471'],
    ['#2338471', '%232338471'],
    ['Application error: see the logs. Digest: 2338471', 'Application+error:+see+the+logs.+Digest:+2338471'],
    ['Paying failed with error code 2338471 twice', 'Paying+failed+with+error+code+2338471+twice'],
  ] as const) {
    const found = commandsFor(text, [])
    t.match(found, [{ label: 'Open failure with digest 2338471' }, { label: `Search the log for ${text}` }])
    // The log looks for digests only in text that is not quoted.
    for (const command of found) t.match(command, { href: `/activities?q=${q}` })
  }
  for (const [text, q] of [
    ['Checkout shows 2338471 again', 'Checkout+shows+2338471+again'],
    ['error id ref-4711', 'error+id+ref-4711'],
  ] as const) {
    const found = commandsFor(text, [])
    t.same(found, [{ group: 'Search', label: `Search the log for ${text}`, href: `/activities?q=${q}` }])
  }
})

t.test('opens only the digest of a text that does not fit into a URL, and offers no search', async t => {
  const long = 'x%'.repeat(15_000)
  t.same(commandsFor(long, []), [])
  t.match(commandsFor(`${long} Digest: 2338471`, []), [
    { label: 'Open failure with digest 2338471', href: '/activities?q=2338471' },
  ])
  t.equal(commandsFor(`${long} Digest: 2338471`, []).length, 1)
})

t.test('links a trace id to the trace, regardless of its age', async t => {
  t.match(commandsFor('4BF92F3577B34DA6A3CE929D0E0E4736', all), [
    { label: /^Open trace/, href: '/activities?q=4BF92F3577B34DA6A3CE929D0E0E4736' },
    {},
  ])
})

t.test('searches for plain words as a phrase, and leaves a query unchanged', async t => {
  const last = (text: string) => commandsFor(text, all).at(-1)
  t.match(last('card declined'), { href: '/activities?q=%22card+declined%22' })
  t.match(last('service:pay status:>=500'), { href: '/activities?q=service:pay+status:%3E%3D500' })
  t.match(last('timeout'), { href: '/activities?q=timeout' })
  t.match(last('order 2338471'), { href: '/activities?q=%22order+2338471%22' })
  for (const [text, q] of [
    ['-timeout', '%22-timeout%22'],
    ['OR', '%22OR%22'],
    ['foo*bar', '%22foo*bar%22'],
  ] as const)
    t.match(
      last(text),
      { href: `/activities?q=${q}` },
      'a word that the search language would not take literally',
    )
  t.match(last('req/7+a'), { href: '/activities?q=req/7%2Ba' }, 'may be a request id')
})
