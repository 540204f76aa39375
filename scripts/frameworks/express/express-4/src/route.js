/** Express 4 does not catch the errors of async functions. */
export function route(_request, _response, next) {
  load().catch(next)
}

async function load() {
  throw new Error('failed in route')
}
