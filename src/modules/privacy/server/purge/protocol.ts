import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { mediaTypes } from '#engine'
import { datapurge } from '#resources/exams/datapurge'
import { AuditOutcome } from '#schemas/dictionaries'
import type { Datapurge } from '#schemas/exams/datapurge'
import { storeFile } from '../../../../crud/stored-file.ts'
import { erasuresFor } from '../../../../platform/audit/server/audit-chain.ts'
import type { Trx } from '../../../../platform/database/database.ts'
import { raw } from '../../../../platform/database/live.ts'
import { readNumberParam } from '../../../../platform/database/param.ts'
import { wireDay, wireTime } from '../../../../platform/http/server/wire.ts'
import { verifyActs } from '../../../review/server/log-chain.ts'
import type { PurgeDocument } from '../../documents/purge-pdf.ts'
import { partOf } from './parts.ts'

/** The record of an erasure: as people read it, and as programs do. */
export interface Protocol {
  readonly json: Buffer
  readonly pdf: Buffer
  readonly idsHash: string
  readonly doneNum: number
  readonly doneFileNum: number
}

/** What the lines of an erasure are called, as somebody reads them. */
export function lineWords(
  line: { part: string; fieldNames: string | null; deed: string },
  say: (text: string) => string = text => text,
) {
  const part = partOf(line)
  return {
    title: say(part?.entity.title ?? line.part),
    labels: (part?.names ?? []).map(name => say(part?.entity.properties[name]?.title ?? name)).join('、'),
    ground: say(part?.keep.ground ?? ''),
  }
}

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Every row that the security log says was erased, as `entity:id`, in order: the list whose digest the record gives. */
async function erasedList(app: FastifyInstance, tenantId: string, purgeId: string): Promise<readonly string[]> {
  const entries = await erasuresFor(app.db, { tenantId, targetType: datapurge.name, targetId: purgeId })
  const all = entries.flatMap(erased =>
    Object.entries(erased).flatMap(([entity, ids]) => ids.map(id => `${entity}:${String(id).split(':')[0]}`)),
  )
  return [...new Set(all)].sort()
}

/** Makes the record of an erasure that has come to its end. @param figures what must be as it was before, of now */
export async function makeProtocol(
  app: FastifyInstance,
  purgeId: string,
  figures: Readonly<Record<string, string>>,
): Promise<Protocol> {
  const now = app.now()
  const db = raw(app)
  const purge = await db
    .selectFrom('datapurge as p')
    .innerJoin('examination as e', 'e.id', 'p.examId')
    .leftJoin('user as first', 'first.id', 'p.planUser')
    .leftJoin('user as second', 'second.id', 'p.confirmUser')
    .leftJoin('tenant', 'tenant.tenantId', 'p.tenantId')
    .selectAll('p')
    .select(['e.examName', 'e.examCode', 'e.archiveTime', 'tenant.tenantName'])
    .select(['first.realName as planName', 'second.realName as confirmName'])
    .where('p.id', '=', purgeId)
    .executeTakeFirstOrThrow()
  const lines = await db
    .selectFrom('datapurgeline')
    .selectAll()
    .where('purgeId', '=', purgeId)
    .orderBy('sort')
    .execute()
  const signups = await db.selectFrom('signup').select('id').where('examId', '=', purge.examId).execute()
  const [audit, acts, ids, days] = await Promise.all([
    app.audit.verify(purge.tenantId),
    verifyActs(
      db,
      purge.tenantId,
      signups.map(({ id }) => id),
    ),
    erasedList(app, purge.tenantId, purgeId),
    readNumberParam(app.db, purge.tenantId, 'privacy.backupDays'),
  ])
  const before = (purge.figures ?? {}) as Readonly<Record<string, string>>
  const gone = lines.filter(line => line.deed !== 'stay')
  const record = {
    purge: purgeId,
    tenant: purge.tenantName ?? '',
    exam: { id: purge.examId, code: purge.examCode, name: purge.examName, archived: wireTime(purge.archiveTime) },
    due: purge.dueDate,
    planned: { by: purge.planName ?? '', time: wireTime(purge.planTime) },
    confirmed: { by: purge.confirmName ?? '', time: wireTime(purge.confirmTime) },
    finished: wireTime(now),
    lines: lines.map(line => ({
      data: line.part,
      ...lineWords(line),
      deed: line.deed,
      before: line.rowNum,
      erased: line.doneNum,
      left: line.deed === 'stay' ? line.rowNum : (line.leftNum ?? 0),
      oldest: wireTime(line.oldest),
    })),
    ids: { count: ids.length, sha256: sha256(ids.map(one => `${one}\n`).join('')) },
    unchanged: Object.keys(figures).map(name => ({
      name,
      digest: figures[name],
      same: figures[name] === before[name],
    })),
    chains: { auditlog: audit, examinelog: acts },
    backupsUntil: wireDay(new Date(now.getTime() + days * 86_400_000)),
  }
  const document: Omit<PurgeDocument, 'madeAt'> = {
    tenantName: record.tenant,
    examName: purge.examName,
    facts: [
      ['考试编号', purge.examCode],
      ['归档时间', record.exam.archived],
      ['清除日期', purge.dueDate],
      ['计划人', `${record.planned.by} ${record.planned.time}`],
      ['确认人', `${record.confirmed.by} ${record.confirmed.time}`],
      ['完成时间', record.finished],
      ['主键清单', `${ids.length}条，SHA-256 ${record.ids.sha256}`],
      ['审计日志', audit.broken === null ? `${audit.count}条，完整` : `第${audit.broken}条与写入时不一致`],
      ['审核记录', acts.broken === null ? `${acts.count}条，完整` : `记录${acts.broken.id}与写入时不一致`],
      ['前后一致', record.unchanged.map(one => `${one.name}${one.same ? '一致' : '不一致'}`).join('，')],
      ['备份', `清除前的备份中仍有这些资料，最后一份于${record.backupsUntil}失效`],
    ],
    heads: ['数据', '内容', '处理', '清除前', '已清除', '剩余', '依据'],
    rows: record.lines.map(line => [
      line.title,
      line.labels || '整行',
      deeds[line.deed as keyof typeof deeds],
      String(line.before),
      String(line.erased),
      String(line.left),
      line.ground,
    ]),
  }
  const json = Buffer.from(`${JSON.stringify(record, null, 2)}\n`)
  const pdf = await app.drawings.get('purgePdf', document, purge.tenantId)
  const sum = (wanted: (part: string) => boolean) =>
    gone.filter(line => wanted(line.part)).reduce((total, line) => total + line.doneNum, 0)
  return {
    json,
    pdf,
    idsHash: record.ids.sha256,
    doneNum: sum(part => part !== 'attach'),
    doneFileNum: sum(part => part === 'attach'),
  }
}

const deeds = { erase: '删除', blank: '清除', stay: '保留' } as const

/** Keeps the record with the erasure, and its digest in the security log. */
export async function keepProtocol(
  app: FastifyInstance,
  trx: Trx,
  purge: Pick<Datapurge, 'id' | 'confirmUser' | 'dueDate'> & { tenantId: string },
  { json, pdf, idsHash, doneNum, doneFileNum }: Protocol,
): Promise<void> {
  const now = app.now()
  const { tenantId, id, confirmUser: userId } = purge
  const file = { tenantId, userId, ownerType: 'purge', ownerId: id } as const
  const name = `清除记录_${purge.dueDate}`
  const asJson = { ...file, name: `${name}.json`, contentType: 'application/json', bytes: json }
  const asPdf = { ...file, name: `${name}.pdf`, contentType: mediaTypes.pdf, bytes: pdf }
  const kept = await storeFile(app, trx, asJson, now)
  const printed = await storeFile(app, trx, asPdf, now)
  await trx
    .updateTable('datapurge')
    .set({
      doneNum,
      doneFileNum,
      idsHash,
      jsonFile: kept.id,
      jsonHash: kept.sha256,
      pdfFile: printed.id,
      updateTime: now,
    } as never)
    .where('id', '=', id)
    .execute()
  const detail = { protocol: kept.sha256, ids: idsHash, rows: doneNum, files: doneFileNum }
  const note = {
    tenantId,
    event: 'purge',
    outcome: AuditOutcome.success,
    targetType: datapurge.name,
    targetId: id,
    detail,
  } as const
  await app.audit.local({ ...note, userId }, trx)
}
