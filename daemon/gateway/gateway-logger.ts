/** Methods of a pino logger that the gateway's daemon side uses. */
export interface GatewayLogger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}
