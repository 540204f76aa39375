/**
 * `sixpane doctor`: checks the configuration, the store and the servers that Sixpane uses, and explains every problem.
 * Changes nothing.
 */
import { diagnose } from './doctor/diagnose.ts'

const { code, output } = await diagnose(process.env)
process.stdout.write(output)
process.exitCode = code
