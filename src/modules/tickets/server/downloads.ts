import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { QueryOf } from '#engine'
import { PicState, picState as picStates, TicketStatus } from '#schemas/dictionaries'
import type { TicketPicture } from '#schemas/tickets/ticket-pictures'
import { inScope } from '../../../crud/scope.ts'
import { anywhere } from '../../../platform/database/like.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { page, pageOf } from '../../../platform/http/server/page.ts'
import type { DownRow, downloadBook, downloadList } from '../contract.ts'
import { ticketWords } from './document.ts'

/** What the list of downloads may be asked for. */
type DownQuery = QueryOf<typeof downloadBook>

/** The names that an exam gives to the pictures it asks for. */
type PictureLabels = Partial<Record<TicketPicture, string | null>>

const isDown = sql<boolean>`coalesce(register."downNum", 0) > 0`
/** Without a row nothing was handed in: that is wanted only where the exam asks for pictures. */
const picState = sql<DownRow['picState']>`coalesce(register."picState",
  CASE WHEN coalesce(exam."ticketNeedPic", '') <> '' THEN ${sql.lit(PicState.missing)} ELSE ${sql.lit(PicState.notNeeded)} END)`

/** Everybody who has a live ticket in the caller's scope, with what the register of downloads says, if anything. */
function holders(app: FastifyInstance, who: Person, query: DownQuery) {
  return liveAs(app, who)
    .selectFrom('examinationticket as ticket')
    .innerJoin('examination as exam', 'exam.id', 'ticket.examId')
    .innerJoin('examinationitem as item', 'item.id', 'ticket.itemId')
    .leftJoin('ticketnotice as register', join =>
      join.onRef('register.signupId', '=', 'ticket.signupId').onRef('register.itemId', '=', 'ticket.itemId'),
    )
    .where(inScope(app, who, 'examinationticket', 'ticket'))
    .where('ticket.ticketStatus', '=', TicketStatus.released)
    .$if(Boolean(query.examId), q => q.where('ticket.examId', '=', query.examId as string))
    .$if(Boolean(query.itemId), q => q.where('ticket.itemId', '=', query.itemId as string))
    .$if(Boolean(query.name), q => q.where('ticket.name', 'like', anywhere(query.name ?? '')))
    .$if(Boolean(query.ticketNo), q => q.where('ticket.ticketNo', 'like', anywhere(query.ticketNo ?? '')))
}

function asked(app: FastifyInstance, who: Person, query: DownQuery) {
  const { downloaded, picState: state } = query
  return holders(app, who, query)
    .$if(downloaded !== undefined, q => q.where(downloaded === 1 ? isDown : sql<boolean>`NOT ${isDown}`))
    .$if(state !== undefined, q => q.where(sql<boolean>`${picState} = ${state}`))
    .select([
      'ticket.id as ticketId',
      'ticket.examId',
      'ticket.itemId',
      'exam.examName',
      'item.itemName',
      'ticket.name',
      'ticket.ticketNo',
    ])
    .select(['ticket.unit', 'ticket.code', 'ticket.roomNo', 'ticket.seatNo'])
    .select(eb => eb.ref('exam.picLabels').$castTo<PictureLabels | null>().as('picLabels'))
    .select([
      'register.id',
      'register.type',
      'register.picRemark',
      'register.sureTime',
      'register.jkm',
      'register.xcm',
      'register.hsjcbg',
      'register.firstDownTime',
      'register.lastDownTime',
      'register.lastDownIp',
    ])
    .select(sql<number>`coalesce(register."downNum", 0)`.as('downNum'))
    .select([picState.as('picState'), sql<0 | 1>`CASE WHEN ${isDown} THEN 1 ELSE 0 END`.as('downloaded')])
    .orderBy('ticket.ticketNo')
}

/** How many hold a ticket, have downloaded it, have not, and whose pictures wait to be looked at or were found bad. */
async function countsOf(app: FastifyInstance, who: Person, query: DownQuery) {
  const row = await holders(app, who, query)
    .select(eb => [
      eb.fn.countAll<string>().as('total'),
      eb.fn.countAll<string>().filterWhere(isDown).as('downloaded'),
      eb.fn.countAll<string>().filterWhere('register.picState', '=', PicState.uploaded).as('waiting'),
      eb.fn.countAll<string>().filterWhere('register.picState', '=', PicState.rejected).as('refused'),
    ])
    .executeTakeFirstOrThrow()
  const [total, downloaded] = [Number(row.total), Number(row.downloaded)]
  return { total, downloaded, missing: total - downloaded, waiting: Number(row.waiting), refused: Number(row.refused) }
}

/** A page of the people who hold a ticket, those without a row in the register too, with the counts of all of them. */
export async function downPage(app: FastifyInstance, who: Person, query: QueryOf<typeof downloadList>) {
  const place = pageOf(query)
  const [rows, counts, n] = await Promise.all([
    asked(app, who, query).limit(place.size).offset(place.offset).execute(),
    countsOf(app, who, query),
    liveAs(app, who)
      .selectFrom(asked(app, who, query).as('found'))
      .select(eb => eb.fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow(),
  ])
  return { ...page(rows, Number(n.n), place), counts }
}

/** The same people as rows of a sheet. */
export async function downRows(app: FastifyInstance, who: Person, query: DownQuery) {
  const rows = await asked(app, who, query).execute()
  const wordOf = await ticketWords(liveAs(app, who))
  const stateOf = (key: number) => picStates.entries[key as keyof typeof picStates.entries]
  return rows.map(row => [
    row.examName,
    row.itemName,
    row.name,
    row.ticketNo,
    wordOf('recruit_unit', row.unit),
    row.code,
    row.roomNo,
    row.seatNo,
    row.downloaded ? '已下载' : '未下载',
    row.downNum,
    row.firstDownTime,
    row.lastDownTime,
    stateOf(row.picState),
    row.picRemark,
  ])
}

/** Heads of {@link downRows}. */
export const downColumns = [
  { title: '考试', width: 28 },
  { title: '考试项目', width: 12 },
  { title: '姓名', width: 12 },
  { title: '准考证号', width: 20 },
  { title: '报考单位', width: 14 },
  { title: '岗位代码', width: 12 },
  { title: '考场号', width: 8 },
  { title: '座位号', width: 8 },
  { title: '下载情况', width: 10 },
  { title: '下载次数', width: 10, type: 'number' },
  { title: '首次下载', width: 20, type: 'time' },
  { title: '最近下载', width: 20, type: 'time' },
  { title: '材料状态', width: 10 },
  { title: '材料意见', width: 24 },
] as const
