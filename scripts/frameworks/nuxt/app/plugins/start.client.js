export default defineNuxtPlugin(() => {
  if (location.pathname === '/plugin') throw new Error('failed in plugin')
})
