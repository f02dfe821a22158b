import type { FastifyInstance } from 'fastify'
import { ScanState } from '#schemas/dictionaries'
import { scanWithClamd } from '../../channels/scan/clamd.ts'
import { readPlatformParam } from '../../database/param.ts'
import { timed } from '../../metrics/meter.ts'

/** Files of one round that waited for the scanner. */
const atOnce = 50

/**
 * Has the installation's scanner look at a file that passed our own checks. Without one the parameter `scan.address` names none, and
 * those checks are all there is.
 * @returns open while the scanner cannot be asked: until then only who uploaded a file meets it
 */
export async function scanFile(
  { db, meter }: Pick<FastifyInstance, 'db' | 'meter'>,
  bytes: Buffer,
): Promise<(typeof ScanState)[keyof typeof ScanState]> {
  const address = await readPlatformParam(db, 'scan.address')
  if (!address.includes(':')) return ScanState.clean
  try {
    return (await timed(meter, 'scan', () => scanWithClamd(address, bytes))) === null
      ? ScanState.clean
      : ScanState.blocked
  } catch {
    return ScanState.pending
  }
}

/**
 * Asks again about files of all tenants that came in while the scanner could not be asked.
 * @returns how many it has decided on
 */
export async function scanOpen(app: FastifyInstance): Promise<number> {
  const rows = await app.db
    .selectFrom('attach')
    .select(['id', 'name'])
    .where('scanState', '=', ScanState.pending)
    .where('isDeleted', '=', 0)
    .orderBy('id')
    .limit(atOnce)
    .execute()
  let decided = 0
  for (const { id, name } of rows) {
    const bytes = await app.storage.get(name).catch(() => null)
    if (!bytes) continue
    const scanState = await scanFile(app, bytes)
    if (scanState === ScanState.pending) break
    await app.db.updateTable('attach').set({ scanState, updateTime: app.now() }).where('id', '=', id).execute()
    if (scanState === ScanState.blocked) app.journal.note('warn', `attach ${id}`, { found: true })
    decided++
  }
  return decided
}
