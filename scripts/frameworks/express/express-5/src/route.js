/** Express 5 catches the errors of async functions. */
export async function route() {
  throw new Error('failed in route')
}
