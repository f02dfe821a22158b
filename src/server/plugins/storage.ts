import path from 'node:path'
import fp from 'fastify-plugin'
import { localStorage, type Storage } from '../channels/storage/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Keeps the bytes of uploaded files. */
    storage: Storage
  }
}

/** Decorates the app with the storage of its files, a folder of the data folder. */
export default fp(
  async app => {
    app.decorate('storage', localStorage(path.join(app.config.dataDir, 'files')))
  },
  { name: 'storage', dependencies: ['clock'] },
)
