import type { FastifyInstance } from 'fastify'
import { firstTenant } from '../database/first-tenant.ts'
import { readNumberParam } from '../database/param.ts'
import { backupTroubles, readBackupState } from './backup-state.ts'
import { keepNewest } from './retention.ts'
import { takeBackup } from './take-backup.ts'

const day = 86_400

/** Whether the server has taken backups by itself. */
async function takesOwn({ pool }: FastifyInstance): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT 1 FROM backup_run WHERE "isOwn" LIMIT 1')
  return rowCount === 1
}

/**
 * Takes a backup into BACKUP_DIR and removes the oldest there.
 * @throws when this process was not told where backups go, and others were
 */
async function backUp(app: FastifyInstance, signal: AbortSignal): Promise<void> {
  const { backupDir: to, backupPassphrase, dataDir, secretKey } = app.config
  if (!to) {
    if (await takesOwn(app))
      throw new Error('BACKUP_DIR is not set at this process, but was at others: set it at all, or end backups at all.')
    return
  }
  const options = { to, passphrase: async () => backupPassphrase, isOwn: true, signal }
  const { db, direct: pool } = app
  const { file, bytes } = await takeBackup({ pool, dataDir, secretKey }, options)
  const removed = await keepNewest(to, await readNumberParam(db, firstTenant, 'backup.keep'))
  app.journal.note('info', 'backup', { file, bytes, removed })
}

/** Tells in the logs when the last backup is old or failed, or a slot holds back what nobody receives. */
async function lookAfter(app: FastifyInstance): Promise<void> {
  const state = await readBackupState(app.pool)
  const isUsed = app.config.backupDir !== undefined || state.last !== null || state.failure !== null
  const troubles = backupTroubles(state).filter(one => isUsed || !one.startsWith('There is no backup'))
  if (troubles.length === 0) return
  app.log.warn({ troubles }, 'backup')
  app.journal.note('warn', 'backup-state', { troubles })
}

/** What the server does about backups by itself. */
export default async function backupJobs(app: FastifyInstance): Promise<void> {
  app.meter.gauge('backup_age_seconds', async () => {
    const { last } = await readBackupState(app.pool)
    return last ? [{ labels: {}, value: last.ageSeconds }] : []
  })
  app.jobs.every({
    name: 'backup',
    title: '数据备份',
    seconds: day,
    within: [3600, 7 * day],
    work: signal => backUp(app, signal),
  })
  app.jobs.every({
    name: 'backup-state',
    title: '检查数据备份',
    seconds: 3600,
    harmlessToPause: true,
    work: () => lookAfter(app),
  })
}
