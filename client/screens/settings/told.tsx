import type { Contents } from '../../../shared/page.ts'
import { type SettingsDone, type SettingsPart, settingsDone } from '../../../shared/paths.ts'
import { Notice } from '../../components/notice.tsx'

const doneWords: Record<Exclude<SettingsDone, 'webhook-tested'>, string> = {
  preferences: 'Your preferences are kept in this browser.',
  'level-changed': 'The log level holds from now on.',
  'retention-changed': 'The retention holds from now on.',
  'redaction-changed': 'The paths hold for every event that comes in from now on.',
  'webhook-changed': 'The webhook is changed.',
  'webhook-removed': 'The webhook is removed.',
  'token-revoked': 'The token is revoked.',
}

/** What the newest form of this part of the screen did, or how many of its fields were not right. */
export function Told({
  part,
  done,
  problems,
}: {
  part: SettingsPart
  done: Contents['settings']['done']
  problems: number
}) {
  if (problems > 0) {
    return (
      <Notice tone="bad" title="Nothing was saved.">
        {problems === 1 ? 'One field below says' : `${problems} fields below say`} what to change.
      </Notice>
    )
  }
  // How a test went stands with its webhook.
  if (done === null || done === 'webhook-tested' || settingsDone[done] !== part) return null
  return <Notice tone="ok" title={doneWords[done]} />
}
