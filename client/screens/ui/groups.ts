import type { UiGroup } from '../../../shared/screens/ui.ts'

/** The title of each catalogue page, and the names of its components by section id. */
export const groups: Readonly<Record<UiGroup, { title: string; parts: Readonly<Record<string, string>> }>> = {
  labels: {
    title: 'Labels',
    parts: {
      severities: 'Severities',
      badges: 'Badges and states',
      icons: 'Icons',
      times: 'Times',
      'log-text': 'Log text',
      digests: 'Digests',
    },
  },
  controls: {
    title: 'Controls',
    parts: {
      buttons: 'Buttons',
      chips: 'Chips',
      search: 'Search',
      menus: 'Menus',
      range: 'Range',
      'commands-and-keys': 'Commands and keys',
      fields: 'Fields',
    },
  },
  messages: {
    title: 'Messages',
    parts: { notices: 'Notices and empty states', 'what-to-check': 'Not-found hints', code: 'Code' },
  },
  numbers: {
    title: 'Numbers',
    parts: {
      stats: 'Numbers',
      charts: 'Charts',
      'chart-tables': 'Chart tables',
      services: 'Services',
      'wide-tables': 'Wide tables',
    },
  },
  events: {
    title: 'Events',
    parts: { events: 'Events', columns: 'Event columns', event: 'One event', waterfall: 'Waterfall' },
  },
  failures: {
    title: 'Failures',
    parts: {
      failures: 'Failures',
      stack: 'Stack',
      unmapped: 'Unmapped frames',
      ambiguous: 'Ambiguous frames',
      deliveries: 'Deliveries',
    },
  },
}
