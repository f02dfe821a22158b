import type { AddressInfo } from 'node:net'
import os from 'node:os'
import type { FastifyInstance } from 'fastify'

/** The address by which the server reaches itself. */
export function ownUrl(app: FastifyInstance): string {
  const { host, port: planned } = app.config
  const { port } = (app.server.address() as AddressInfo | null) ?? { port: planned }
  const local = ['0.0.0.0', '::', ''].includes(host) ? '127.0.0.1' : host
  return `http://${local.includes(':') ? `[${local}]` : local}:${port}`
}

/** The address by which others reach the server: as configured, else the first network address it listens on. */
export function publicUrl(app: FastifyInstance): string {
  const configured = app.config.publicUrl
  if (configured) return configured.replace(/\/$/, '')
  if (!['0.0.0.0', '::'].includes(app.config.host)) return ownUrl(app)
  const addresses = Object.values(os.networkInterfaces()).flatMap(list => list ?? [])
  const outside = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)
  return outside ? ownUrl(app).replace('127.0.0.1', outside.address) : ownUrl(app)
}
