import fc from 'fast-check'
import t from 'tap'
import { readConfig } from '../settings/config.ts'
import { grantRole, type Identity } from './grant-role.ts'

function configWith(roles: Record<string, string>) {
  return readConfig({ SIXPANE_AUTH: 'proxy', SIXPANE_TRUST_PROXY: '127.0.0.1', ...roles })
}

function user(overrides: Partial<Identity> = {}): Identity {
  return { name: 'ada', email: 'ada@team.example', groups: [], ...overrides }
}

t.test('a user gets the highest role of all matching items', async t => {
  const config = configWith({
    SIXPANE_ADMINS: 'ada@team.example, Ops',
    SIXPANE_MEMBERS: '@team.example',
    SIXPANE_VIEWERS: '*',
  })
  t.match(grantRole(user(), config), { role: 'admin', services: null })
  t.match(grantRole(user({ email: 'Bob@Team.Example' }), config), { role: 'member' })
  t.match(grantRole(user({ email: null, groups: ['ops'] }), config), { role: 'admin' })
  t.match(grantRole(user({ email: null }), config), { role: 'viewer', services: null })
})

t.test('a domain matches only addresses directly in it', async t => {
  const config = configWith({ SIXPANE_VIEWERS: '@team.example' })
  const others = [
    'ada@evil.team.example',
    'ada@notteam.example',
    'ada@team.example.evil',
    'ada@team.example@evil.example',
    '@team.example@evil.example',
    'team.example',
    '',
  ]
  for (const email of others) t.equal(grantRole(user({ email }), config), null, email)
  t.equal(
    grantRole(user({ email: null, groups: ['@team.example'] }), config),
    null,
    'a group named like a domain',
  )
})

t.test('viewers see the services of all their grants', async t => {
  const config = configWith({ SIXPANE_VIEWERS: 'partners=shop+cart,pay=pay,everything' })
  const servicesOf = (...groups: string[]) => grantRole(user({ groups }), config)?.services
  t.same(servicesOf('partners'), ['cart', 'shop'])
  t.same(servicesOf('partners', 'pay'), ['cart', 'pay', 'shop'])
  t.same(servicesOf('partners', 'everything'), null)
  t.same(servicesOf('others'), undefined)
})

t.test('property: nobody gets a role without a matching item', async () => {
  const config = configWith({ SIXPANE_ADMINS: 'ada@team.example,ops', SIXPANE_VIEWERS: 'partners=shop' })
  const text = fc
    .string()
    .filter(each => !['ada@team.example', 'ops', 'partners'].includes(each.toLowerCase()))
  fc.assert(
    fc.property(text, fc.option(text), fc.array(text), (name, email, groups) => {
      return grantRole({ name, email, groups }, config) === null
    }),
  )
})
