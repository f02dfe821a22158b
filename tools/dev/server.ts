import type { FastifyInstance } from 'fastify'
import { readConfig } from '../../src/platform/config/config.ts'
import { openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { start as startServer } from '../../src/server/start.ts'

export { current as definitions } from '../../src/screens/definitions.ts'

/** Keeps the embedded PostgreSQL running while servers come and go. @returns what lets go of it */
export async function holdDatabase(): Promise<() => Promise<unknown>> {
  const { databaseUrl, bladeApi, dataDir } = readConfig()
  if (databaseUrl || bladeApi) return async () => {}
  const embedded = await openEmbedded(dataDir)
  return () => embedded.close()
}

/** Builds the server from the sources as they are now, and lets it listen. */
export const start = (): Promise<FastifyInstance> => startServer(readConfig())
