export function load() {
  return { total: total() }
}

async function total() {
  await new Promise(resolve => setTimeout(resolve, 100))
  throw new Error('failed in stream')
}
