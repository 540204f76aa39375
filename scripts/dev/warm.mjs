// @ts-check
/**
 * A process that becomes the server: it loads the packages while the one before it still runs, and the server
 * itself when it is told to. Arguments: what to load beforehand.
 */
for (const name of process.argv.slice(2)) await import(name)

process.once('message', main => void import(String(main)))
// Nobody is left who could stop it.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
