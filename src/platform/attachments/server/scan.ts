import type { FastifyInstance } from 'fastify'
import { scanWithClamd } from '../../channels/scan/clamd.ts'
import { readPlatformParam } from '../../database/param.ts'

/** Keys of dictionary `scan_state`. */
export const ScanState = { open: 0, passed: 1, stopped: 2 } as const

/** One of {@link ScanState}. */
export type ScanState = (typeof ScanState)[keyof typeof ScanState]

/** Files of one round that waited for the scanner. */
const atOnce = 50

/**
 * Has the installation's scanner look at a file that passed our own checks. Without one the parameter `scan.address` names none, and
 * those checks are all there is.
 * @returns open while the scanner cannot be asked: until then only who uploaded a file meets it
 */
export async function scanFile(db: FastifyInstance['db'], bytes: Buffer): Promise<ScanState> {
  const address = await readPlatformParam(db, 'scan.address')
  if (!address.includes(':')) return ScanState.passed
  try {
    return (await scanWithClamd(address, bytes)) === null ? ScanState.passed : ScanState.stopped
  } catch {
    return ScanState.open
  }
}

/** Asks again about files that came in while the scanner could not be asked. @returns how many it has decided on */
export async function scanOpen(app: FastifyInstance): Promise<number> {
  const rows = await app.db
    .selectFrom('attach')
    .select(['id', 'name'])
    .where('scanState', '=', ScanState.open)
    .where('isDeleted', '=', 0)
    .orderBy('id')
    .limit(atOnce)
    .execute()
  let decided = 0
  for (const { id, name } of rows) {
    const bytes = await app.storage.get(name).catch(() => null)
    if (!bytes) continue
    const scanState = await scanFile(app.db, bytes)
    if (scanState === ScanState.open) break
    await app.db.updateTable('attach').set({ scanState, updateTime: app.now() }).where('id', '=', id).execute()
    if (scanState === ScanState.stopped) app.journal.note('warn', `attach ${id}`, { found: true })
    decided++
  }
  return decided
}
