import type { Page } from '../shared/page.ts'

/** Tracks each page from its request until React has committed it to the document. */
export class PageCommits {
  #latest: Page | null = null
  #waiting: { page: Page; resolve: () => void }[] = []

  /** Call this as soon as a page is requested. Earlier pages become stale. */
  request(page: Page): void {
    this.#latest = page
  }

  /** Whether a newer page was requested. An older page whose code or transition finishes late must not replace it. */
  isStale(page: Page): boolean {
    return page !== this.#latest
  }

  /** Resolves when the page is in the document, or when it can no longer be shown. */
  whenShown(page: Page): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push({ page, resolve })
    })
  }

  /** Call this when React has committed the page. Earlier pages will never be committed. */
  shown(page: Page): void {
    const index = this.#waiting.findIndex(waiting => waiting.page === page)
    for (const { resolve } of this.#waiting.splice(0, index + 1)) resolve()
  }

  /** Call this when React has failed. A pending view transition would otherwise freeze the document for seconds. */
  abandon(): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve()
  }
}
