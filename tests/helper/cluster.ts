import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { entities } from '#schemas'
import { tablesOf } from '../../src/crud/table.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { openDatabase, openPool } from '../../src/platform/database/database.ts'
import { openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { seedBase } from '../../src/platform/tenants/server/seed/index.ts'
import { loadSecrets } from '../../src/platform/vault/secrets.ts'
import { createVault } from '../../src/platform/vault/vault.ts'
import { extensions } from '../../src/server/extensions.ts'

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

/** Opens the stored secrets of test databases. */
export const testSecretKey = 'f3a9d07c51b8e64290ad3c7be1586f02'

/** Runs once before all tests: starts a PostgreSQL of its own in the temporary folder and makes the template. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-test-'))
  // User nobody, who runs PostgreSQL when root runs the tests, must get in.
  await chmod(folder, 0o755)
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '300' }
  const embedded = await openEmbedded(folder, { settings })
  const { host, port, user } = embedded.connection
  await createTemplate({ host, port, user })
  project.provide('cluster', { host, port, user })
  return async () => {
    await embedded.close()
    await rm(folder, { recursive: true, force: true })
  }
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
  await db.destroy()
}
