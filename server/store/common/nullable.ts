import { Type } from 'typebox'

/** Returns a schema that also accepts `null`. */
export const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])
