import type { Page } from '../shared/page.ts'

/** The page in the response to a form. A navigation with this page as its `info` shows it without another request. */
export class SubmittedPage {
  constructor(
    readonly page: Page,
    /** Whether the page shows the same view as before, so scroll position and focus must not change. */
    readonly keepsPlace: boolean,
  ) {}
}
