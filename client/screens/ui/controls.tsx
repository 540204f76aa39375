import { paths } from '../../../shared/paths.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { Completions } from '../../components/completions.tsx'
import { Menu } from '../../components/menu.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { SearchBox } from '../../components/search-box.tsx'
import { usePage } from '../../page.ts'
import { paletteButtonId } from '../../shell/element-ids.ts'
import { openKeysDialog } from '../../shell/keys-dialog.tsx'
import { BothThemes, Example } from './example.tsx'

const hourMs = 3_600_000

/** Interactive components. */
export function Controls() {
  return (
    <>
      <Example
        title="Buttons"
        id="buttons"
        note="One primary button at most stands in a form. What leads somewhere is a link, also where it looks like a button."
        keys={[
          ['Enter', 'presses a button, follows a link'],
          ['Space', 'presses a button'],
        ]}
        code={
          '<Button kind="primary" type="submit">Save</Button>\n<ButtonLink href={olderHref}>Older</ButtonLink>'
        }
      >
        <BothThemes>
          {() => (
            <p className="ui-row">
              <Button kind="primary">Save</Button>
              <Button>Test</Button>
              <Button kind="danger">Revoke</Button>
              <Button disabled>Not now</Button>
              <Button aria-pressed>Pressed</Button>
              <ButtonLink href="#buttons">A link</ButtonLink>
            </p>
          )}
        </BothThemes>
      </Example>
      <Example
        title="Chips"
        id="chips"
        note="Links that narrow or widen what is shown. The one that is on says so to a screen reader."
        keys={[['Enter', 'follows the link']]}
        code={'<Chip href={href} active={active} count={14}>error</Chip>'}
      >
        <BothThemes>
          {() => (
            <p className="ui-row">
              <Chip href="#chips" active={false} count={12345}>
                info
              </Chip>
              <Chip href="#chips" active count={14}>
                error
              </Chip>
              <Chip href="#chips" active={false} count={0}>
                fatal
              </Chip>
              <Chip href="#chips" active={false}>
                without a count
              </Chip>
            </p>
          )}
        </BothThemes>
      </Example>
      <Searches />
      <Menus />
      <Ranges />
      <Example
        title="Commands and keys"
        id="commands-and-keys"
        note="Over every screen: a palette of screens, services, failures, saved searches and actions, and the list of all keys."
        keys={[
          ['Ctrl K, ⌘ K', 'open the palette, and close it'],
          ['↓ ↑', 'go from command to command'],
          ['Enter', 'does the command'],
          ['?', 'lists the keys'],
          ['Esc', 'closes either; the focus returns to where it was'],
        ]}
        code={'<PaletteButton />\n<KeysDialog />'}
      >
        <p className="ui-row needs-script">
          <Button onClick={() => document.getElementById(paletteButtonId)?.click()}>Open the palette</Button>
          <Button onClick={openKeysDialog}>List the keys</Button>
        </p>
      </Example>
    </>
  )
}

function Searches() {
  return (
    <Example
      title="Search"
      id="search"
      note="What could not be read is marked where it stands. In the first box, what may be typed next is offered as one types."
      keys={[
        ['/', 'goes to the search of the screen'],
        ['Enter', 'searches, or takes what is chosen'],
        ['↓ ↑', 'choose among what is offered'],
        ['Tab', 'takes what is chosen, else goes on'],
        ['Esc', 'closes what is offered, else empties the box'],
      ]}
      code={
        '<SearchBox\n  action={paths.activities()}\n  name="q"\n  label="Search the log"\n  problem={problem}\n' +
        '  completions={field => <Completions field={field} range={range} />}\n/>'
      }
    >
      <div className="ui-stack">
        <SearchBox
          action={paths.ui()}
          name="q"
          label="Search, empty"
          placeholder="severity:error service:api “card declined”"
          completions={field => <Completions field={field} range={{ span: '1h' }} />}
        />
        <SearchBox
          action={paths.ui()}
          name="q"
          label="Search, unreadable"
          defaultValue='service:shop AND (status:>=500 "card'
          problem={{ message: 'A quote is opened here and never closed', from: 31, to: 36 }}
        />
      </div>
    </Example>
  )
}

function Menus() {
  return (
    <Example
      title="Menus"
      id="menus"
      note="A button that opens a panel of links, a form, or both. It works without a script too."
      keys={[
        ['Enter, Space', 'open it, and close it'],
        ['Tab', 'goes through what is in it'],
        ['Esc', 'closes it; the focus returns to the button'],
      ]}
      code={'<Menu label="Saved" icon="clock">\n  <ul>…</ul>\n  <form>…</form>\n</Menu>'}
    >
      <div className="ui-row">
        <Menu label="Closed">
          <MenuLinks />
        </Menu>
        <Menu label="With an icon" icon="copy">
          <MenuLinks />
        </Menu>
      </div>
      <div className="ui-row ui-opened">
        <Menu label="Open" open>
          <MenuLinks />
          <form action={paths.ui()} method="get">
            <Button type="submit">Show</Button>
          </form>
        </Menu>
      </div>
    </Example>
  )
}

function MenuLinks() {
  return (
    <ul>
      <li>
        <a href="#menus">Failing checkouts</a>
      </li>
      <li>
        <a href="#menus" aria-current="true">
          The one that is shown
        </a>
      </li>
      <li>
        <a href="#menus">a-name-that-is-much-too-long-for-a-menu-and-has-no-space-to-break-at</a>
      </li>
    </ul>
  )
}

function Ranges() {
  const { nowMs } = usePage()
  return (
    <Example
      title="Range"
      id="range"
      note="The usual spans as links; any other time by its two ends."
      keys={[
        ['Enter, Space', 'open it, and close it'],
        ['Tab', 'goes through the spans, then the two ends'],
        ['Esc', 'closes it; the focus returns to the button'],
      ]}
      code={
        '<RangePicker\n  range={range}\n  hrefFor={range => paths.activities({ q, range })}\n  action={paths.activities()}\n  hidden={{ q }}\n/>'
      }
    >
      <div className="ui-row">
        <RangePicker range={{ span: '1h' }} hrefFor={() => '#range'} action={paths.ui()} hidden={{}} />
        <RangePicker
          range={{ fromMs: nowMs - 30 * hourMs, toMs: nowMs - 28 * hourMs }}
          hrefFor={() => '#range'}
          action={paths.ui()}
          hidden={{}}
        />
      </div>
    </Example>
  )
}
