import type { FastifyInstance } from 'fastify'
import { ReleaseStatus } from '#schemas/dictionaries'
import type { Live } from '../../../../platform/database/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { nameOfTenant } from '../../../../platform/tenants/server/tenant-name.ts'
import { finalList } from '../final.ts'
import { resultWord, shortlistsOf } from './final-sheet.ts'

type Row = Awaited<ReturnType<typeof finalList>>['positions'][number]['rows'][number]

/** The rank by total or, while nobody of the position has a total, of the latest stage. */
const rankIn = (rows: readonly Row[], row: Row) =>
  rows.some(one => one.rankNo !== null) ? row.rankNo : row.results.at(-1)?.rankNo

/**
 * The final list of an exam to be posted. People out of the running are left out: why somebody left is no matter of the
 * public.
 * @throws results.notReleased while there is nothing to be posted
 */
export async function finalPrint(
  app: FastifyInstance,
  db: Live,
  exam: { id: string; tenantId: string; examName: string },
): Promise<Buffer> {
  const { stages, positions } = await finalList(db, exam)
  const out = stages.filter(stage => stage.resultRelease === ReleaseStatus.released)
  const shown = positions.flatMap(position => {
    const rows = position.rows.filter(row => row.runs)
    return rows.length > 0 ? [{ ...position, rows }] : []
  })
  if (shown.length === 0) throw refuse('results.notReleased')
  const document = {
    examName: exam.examName,
    tenantName: await nameOfTenant(db, exam.tenantId),
    stages: out.map(stage => stage.itemName),
    positions: shown.map(({ unitName, postName, code, curPlanNum, shares, rows }) => ({
      unitName,
      postName,
      code,
      planNum: curPlanNum,
      stages: out.map(({ itemId, itemName }) => {
        const weight = shares.find(one => one.itemId === itemId)?.weight
        return weight && weight !== '1' ? `${itemName}（×${weight}）` : itemName
      }),
      rows: rows.map(row => {
        const own = (itemId: string) => row.results.find(one => one.itemId === itemId)
        return {
          rank: String(rankIn(rows, row) ?? ''),
          name: row.name,
          signNo: row.signNo ?? '',
          total: row.totalScore ?? '',
          results: out.map(({ itemId }) => {
            const one = own(itemId)
            return one ? String(resultWord(one) ?? '') : ''
          }),
          next: shortlistsOf(row, out).join('、'),
        }
      }),
    })),
  }
  return app.drawings.get('finalListPdf', document, exam.tenantId)
}
