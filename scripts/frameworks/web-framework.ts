import type { Application, FailureKind } from './application.ts'

/** The common properties of applications whose visitors see an id that Sixpane's modules created. */
export const webFramework: Pick<Application, 'isPiped' | 'visibleId'> = {
  isPiped: false,
  visibleId: /digest\W+([\da-f]{12})\b/i,
}

/** A failure on the page `/name`. `source` is the file that throws; default: the main file of a service. */
export function failureAt(name: string, title: string, source = 'src/main.js'): FailureKind {
  return { name, title, path: `/${name}`, button: null, source }
}
