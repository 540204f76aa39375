import type { Page } from '../shared/page.ts'

/** Orders the pages that are handed to React, and tells when each is in the document. */
export class PageCommits {
  #latest: Page | null = null
  #waiting: { page: Page; resolve: () => void }[] = []

  /** Call as soon as a page is to be shown: earlier pages must not be committed any more. */
  request(page: Page): void {
    this.#latest = page
  }

  /** Whether a newer page was requested: a view transition may call back late, after that page is shown. */
  isStale(page: Page): boolean {
    return page !== this.#latest
  }

  /** Resolves when the page is in the document, or never will be. */
  whenShown(page: Page): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push({ page, resolve })
    })
  }

  /** React has put the page into the document: pages before it never will be. */
  shown(page: Page): void {
    const index = this.#waiting.findIndex(waiting => waiting.page === page)
    for (const { resolve } of this.#waiting.splice(0, index + 1)) resolve()
  }

  /** React has failed. A view transition that still waited would freeze the document for seconds. */
  abandon(): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve()
  }
}
