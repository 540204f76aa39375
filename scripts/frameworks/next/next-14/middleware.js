export const config = { matcher: '/middleware' }

export function middleware() {
  throw new Error('failed in middleware')
}
