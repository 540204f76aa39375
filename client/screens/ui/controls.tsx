import { hourMs } from '../../../shared/duration-units.ts'
import { paths } from '../../../shared/paths.ts'
import type { UiGroup } from '../../../shared/screens/ui.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { Completions } from '../../components/completions.tsx'
import { Menu } from '../../components/menu.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { HiddenFields, SearchBox } from '../../components/search-box.tsx'
import { usePage } from '../../page.ts'
import { paletteButtonId } from '../../shell/element-ids.ts'
import { openKeysDialog } from '../../shell/keys-dialog.tsx'
import { BothThemes, Example } from './example.tsx'
import { Forms } from './forms.tsx'

/** The query parameters of this page. The forms contain them, so that submitting shows this page again. */
const pageParams = { group: 'controls' } as const satisfies { group: UiGroup }

/** Interactive components. */
export function Controls() {
  return (
    <>
      <Example
        title="Buttons"
        id="buttons"
        note="A form has at most one primary button. Anything that navigates is a link, even if it looks like a button."
        keys={[
          ['Enter', 'presses a button or follows a link'],
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
              <ButtonLink href="#buttons">A link</ButtonLink>
            </p>
          )}
        </BothThemes>
      </Example>
      <Example
        title="Chips"
        id="chips"
        note="Links that filter the view. The active one has aria-current."
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
        note="Every screen has a palette of screens, services, failures, saved searches and actions, and a list of keyboard shortcuts."
        keys={[
          ['Ctrl K, ⌘ K', 'open or close the palette'],
          ['↓ ↑', 'move between commands'],
          ['Enter', 'runs the command'],
          ['?', 'lists the keyboard shortcuts'],
          ['Esc', 'closes either and returns the focus'],
        ]}
        code={'<PaletteButton />\n<KeysDialog />'}
      >
        <p className="ui-row needs-script">
          <Button onClick={() => document.getElementById(paletteButtonId)?.click()}>Open the palette</Button>
          <Button onClick={openKeysDialog}>List keyboard shortcuts</Button>
        </p>
      </Example>
      <Forms />
    </>
  )
}

function Searches() {
  return (
    <Example
      title="Search"
      id="search"
      note="Errors are marked in the search. The first field suggests completions as you type."
      keys={[
        ['/', 'moves to the screen’s search field'],
        ['Enter', 'searches, or accepts the selected completion'],
        ['↓ ↑', 'select a completion'],
        ['Tab', 'accepts the selected completion, or moves on'],
        ['Esc', 'closes the completions, or clears the field'],
      ]}
      code={
        '<SearchBox\n  action={paths.activities()}\n  name="q"\n  label="Search the log"\n  problem={problem}\n' +
        '  completions={field => <Completions field={field} range={range} />}\n/>'
      }
    >
      <div className="ui-stack">
        <SearchBox
          action={paths.ui()}
          hidden={pageParams}
          name="q"
          label="Search, empty"
          placeholder="severity:error service:api “card declined”"
          completions={field => <Completions field={field} range={{ span: '1h' }} />}
        />
        <SearchBox
          action={paths.ui()}
          hidden={pageParams}
          name="q"
          label="Search, invalid"
          defaultValue='service:shop AND (status:>=500 "card'
          problem={{ message: 'This double quote is not closed.', from: 31, to: 36 }}
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
      note="A button that opens a panel with links, a form, or both. Works without JavaScript."
      keys={[
        ['Enter, Space', 'open or close it'],
        ['Tab', 'moves through its contents'],
        ['Esc', 'closes it and returns the focus to the button'],
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
            <HiddenFields values={pageParams} />
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
          The current one
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
  const twoHours = { fromMs: nowMs - 30 * hourMs, toMs: nowMs - 28 * hourMs }
  return (
    <Example
      title="Range"
      id="range"
      note="Common time ranges as links, or a custom start and end."
      keys={[
        ['Enter, Space', 'open or close it'],
        ['Tab', 'moves through the ranges, then the start and end'],
        ['Esc', 'closes it and returns the focus to the button'],
      ]}
      code={
        '<RangePicker\n  range={range}\n  window={window}\n  hrefFor={range => paths.activities({ q, range })}\n/>'
      }
    >
      <div className="ui-row">
        <RangePicker
          range={{ span: '1h' }}
          window={{ fromMs: nowMs - hourMs, toMs: nowMs }}
          hrefFor={() => `${paths.ui(pageParams)}#range`}
        />
        <RangePicker range={twoHours} window={twoHours} hrefFor={() => `${paths.ui(pageParams)}#range`} />
      </div>
    </Example>
  )
}
