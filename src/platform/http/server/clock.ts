import fp from 'fastify-plugin'
import type { Config } from '../../config/config.ts'

declare module 'fastify' {
  interface FastifyInstance {
    config: Config
    /** The time. The only clock of business code, so that tests can set it. */
    now: () => Date
  }
}

/** Decorates the app with its configuration and its clock. */
export default fp<{ config: Config }>(
  async (app, { config }) => {
    app.decorate('config', config)
    app.decorate('now', () => config.now())
  },
  { name: 'clock' },
)
