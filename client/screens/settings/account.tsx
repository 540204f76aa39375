import { pluralise } from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import { type Account, settingsSections } from '../../../shared/screens/settings.ts'
import { Button } from '../../components/button.tsx'
import { plainText } from '../../components/plain-text.ts'
import { Section } from '../../components/section.tsx'

const permissions = {
  viewer: 'You can view events and set your preferences.',
  member: 'You can change failures, notes and saved searches.',
  admin: 'You can change everything.',
} as const

/** Who is signed in, and what they may do. */
export function AccountSection({ account }: { account: Account }) {
  const { name, role, services, canSignOut } = account
  return (
    <Section title={settingsSections.account} id="account">
      <p className="prose">
        Signed in as{' '}
        <strong>
          <bdi>{plainText(name ?? 'unknown')}</bdi>
        </strong>{' '}
        ({role === 'admin' ? 'administrator' : role}). {permissions[role]}
      </p>
      {services !== null && (
        <p className="prose">
          You may see {pluralise(services.length, 'service')}: <bdi>{plainText(services.join(', '))}</bdi>.
        </p>
      )}
      {canSignOut && (
        <form method="post" action={paths.signOut()}>
          <Button type="submit">Sign out</Button>
        </form>
      )}
    </Section>
  )
}
