import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { entities } from '#schemas'
import { tablesOf } from '../../src/crud/table.ts'
import { tidyCounts } from '../../src/crud/total.ts'
import { demoPassword, readConfig } from '../../src/platform/config/config.ts'
import { openDatabase, openPool } from '../../src/platform/database/database.ts'
import { superuser } from '../../src/platform/database/embedded/cluster.ts'
import { type Embedded, openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { seedBase } from '../../src/platform/tenants/server/seed/index.ts'
import { loadSecrets } from '../../src/platform/vault/secrets.ts'
import { createVault } from '../../src/platform/vault/vault.ts'
import { extensions } from '../../src/server/extensions.ts'
import { quickHash } from './password-hash.ts'
import { testSecretKey } from './secret-key.ts'

export { testSecretKey }

/** Where the PostgreSQL of this run is. */
export interface TestCluster {
  host: string
  port: number
  user: string
}

declare module 'vitest' {
  interface ProvidedContext {
    cluster: TestCluster
  }
}

/** The database that each test file gets a copy of: all tables, all secrets, the base seed. */
export const template = 'template_juxian'

/**
 * Runs once before all tests: starts a PostgreSQL of its own in the temporary folder and makes the template. `TEST_CLUSTER` names
 * the folder of the socket of another one to test with, which is empty, trusts whoever comes and stays.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outside = process.env.TEST_CLUSTER
  const folder = outside ?? (await mkdtemp(path.join(os.tmpdir(), 'juxian-test-')))
  const embedded = outside ? undefined : await openOwn(folder)
  const { host, port, user } = embedded?.connection ?? { host: folder, port: 5432, user: superuser }
  await createTemplate({ host, port, user })
  project.provide('cluster', { host, port, user })
  return async () => {
    await embedded?.close()
    if (embedded) await rm(folder, { recursive: true, force: true })
  }
}

async function openOwn(folder: string): Promise<Embedded> {
  // User nobody, who runs PostgreSQL when root runs the tests, must get in.
  await chmod(folder, 0o755)
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '300' }
  return openEmbedded(folder, { settings })
}

async function createTemplate(cluster: TestCluster): Promise<void> {
  const client = new pg.Client({ ...cluster, database: 'postgres' })
  await client.connect()
  await client.query(`CREATE DATABASE ${template}`)
  await client.end()
  const pool = openPool({ ...cluster, database: template, max: 1 })
  await migrate(pool, tablesOf(entities))
  const vault = createVault(await loadSecrets(pool, testSecretKey))
  const db = openDatabase(pool)
  await seedBase({ db, vault, config: readConfig({}), now: () => new Date(), log: Fastify().log, extensions })
  await db
    .updateTable('user')
    .set({ password: await quickHash(demoPassword) })
    .execute()
  await tidyCounts({ db })
  await db.destroy()
}
