/** Returns the number of pages of a list. An empty list has one page. */
export function pageCountOf(items: number, itemsPerPage: number): number {
  return Math.max(1, Math.ceil(items / itemsPerPage))
}

/** Returns the number of the requested page of a list; 1 if none is requested, or the number is invalid. */
export function pageNumberOf(params: URLSearchParams): number {
  const page = params.get('page') ?? ''
  return /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1
}
