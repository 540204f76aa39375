import type { Logger as PinoLogger } from 'pino'

export type Logger = PinoLogger
