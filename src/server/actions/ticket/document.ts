import type { FastifyInstance } from 'fastify'
import type { TicketDocument } from '../../documents/ticket-pdf.ts'
import type { TicketFacts } from './steps.ts'

/** The words behind dictionary keys of a tenant, `''` for a key nobody knows. */
async function wordsOf(
  app: FastifyInstance,
  tenantId: string,
  asked: readonly (readonly [code: string, key: string | null])[],
): Promise<string[]> {
  const rows = await app.db
    .selectFrom('dict_biz')
    .select(['code', 'dictKey', 'dictValue'])
    .where('tenantId', '=', tenantId)
    .where(
      'code',
      'in',
      asked.map(([code]) => code),
    )
    .where('isDeleted', '=', 0)
    .execute()
  return asked.map(([code, key]) => rows.find(row => row.code === code && row.dictKey === key)?.dictValue ?? key ?? '')
}

/** The rules that hold for every sitting; an exam's own stand in its ticket remarks. */
const rules = [
  '考生须携带本准考证和有效居民身份证原件，证件不齐者不得进入考场。',
  '请提前到达考点，核对考场号和座位号后对号入座；超过最迟入场时间不得入场。',
  '手机等通讯设备须关机并放在指定位置，带至座位的按违纪处理。',
  '服从监考人员安排，考试结束前不得提前离场，试卷和答题卡不得带出考场。',
]

/** The bytes of a picture, or null when there is none: a ticket without its photo is better than no ticket. */
async function pictureOf(app: FastifyInstance, attachId: string | null): Promise<Buffer | null> {
  const row = attachId
    ? await app.db.selectFrom('attach').select('name').where('id', '=', attachId).executeTakeFirst()
    : undefined
  return row ? app.storage.get(row.name).catch(() => null) : null
}

/** A ticket with everything its sheet says. */
export async function ticketDocument(app: FastifyInstance, ticket: TicketFacts): Promise<TicketDocument> {
  const place = app.db
    .selectFrom('examroom as room')
    .innerJoin('school', 'school.id', 'room.schoolId')
    .select(['room.roomName', 'school.schoolName', 'school.traffic'])
    .where('room.id', '=', ticket.roomId)
    .executeTakeFirst()
  const position = app.db
    .selectFrom('examitems')
    .select('postName')
    .where('examId', '=', ticket.examId)
    .where('code', '=', ticket.code)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  const words = wordsOf(app, ticket.tenantId, [
    ['recruit_unit', ticket.unit],
    ['exam_subject', ticket.subject],
  ])
  const [at, post, [unit = '', subject = ''], photo] = await Promise.all([
    place,
    position,
    words,
    pictureOf(app, ticket.photo),
  ])
  return {
    ...{ examName: ticket.examName, itemName: ticket.itemName, ticketNo: ticket.ticketNo, name: ticket.name },
    ...{ sex: ticket.sex === 1 ? '男' : ticket.sex === 2 ? '女' : '', idCard: app.vault.open(ticket.idCard), photo },
    ...{
      unit,
      code: ticket.code,
      postName: post?.postName ?? '',
      siteName: at?.schoolName ?? '',
      address: ticket.address,
    },
    ...{
      traffic: at?.traffic ?? null,
      roomNo: ticket.roomNo,
      roomName: at?.roomName ?? null,
      seatNo: ticket.seatNo,
      subject,
      paper: ticket.paper,
    },
    ...{
      startTime: ticket.startTime,
      endTime: ticket.endTime,
      latestTime: ticket.latestTime,
      notes: rules,
      qr: ticket.qrPayload,
    },
    ...{ organizer: ticket.organizer, contactPhone: ticket.contactPhone, madeAt: app.now() },
  }
}
