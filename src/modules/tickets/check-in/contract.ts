import {
  type AnswerOf,
  type BodyOf,
  count,
  dateTime,
  either,
  endpoint,
  group,
  id,
  integer,
  keyed,
  list,
  maybe,
  optional,
  pick,
  sometimes,
  text,
  truth,
  type Wire,
  words,
} from '#engine'
import { Examination } from '#schemas/exams/examination'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Examroom } from '#schemas/exams/examroom'
import { Examinationticket } from '#schemas/tickets/examinationticket'
import { conflictReasons, markKinds } from '../rules/attendance.ts'

const itemId = id('考试项目')
const roomId = id('考场')
const ticketId = id('准考证')
/** An id that a device makes up: 128 random bits as hexadecimal digits. */
const markId = text('登记编号', { pattern: '^[0-9a-f]{32}$' })
/** Milliseconds since 1970. */
const instant = integer('时间', { minimum: 0, maximum: 8_640_000_000_000 })
const rehearsal = truth('演练')
const conflict = words('冲突', ...conflictReasons)
const by = text('登记人')

const totals = {
  people: count('应到'),
  arrived: count('到考'),
  absent: count('缺考'),
  breach: count('违纪'),
}
const times = pick(Examinationitem, 'startTime', 'endTime').of
const openTimes = { openFrom: dateTime('签到开始'), openUntil: dateTime('签到结束') }

/** Where a room is. */
const placeShape = group({
  roomId,
  ...pick(Examroom, 'roomNo', 'roomName').of,
  schoolName: text('考点名称'),
})

const proctorShape = group({ userId: id('监考员'), name: text('姓名') })

/** A stage in which the caller has rooms, with how many notes of rehearsals in them are stored. */
const stageShape = group({
  itemId,
  examId: id('考试'),
  ...pick(Examination, 'examName').of,
  ...pick(Examinationitem, 'itemName', 'ticketRelease').of,
  ...times,
  ...openTimes,
  ...totals,
  rooms: count('考场数'),
  rehearsed: count('演练登记数'),
})

/** A room of a stage with its proctors. */
const roomShape = group({ ...placeShape.of, ...totals, proctors: list(proctorShape) })

/** A note that the server knows, and who made it. */
const toldMarkShape = group({
  id: markId,
  kind: words('登记', ...markKinds),
  at: instant,
  undoes: maybe(markId),
  by,
})

/** Somebody who may sit in the room; the number is masked, `code` is the SHA-256 of the text of the ticket's code. */
const seatedShape = group({
  ticketId,
  ...pick(Examinationticket, 'ticketNo', 'name', 'seatNo').of,
  idCard: text('证件号码'),
  photo: text('照片'),
  code: text('二维码摘要'),
  marks: list(toldMarkShape),
})

/** The latest stages in which the caller has rooms, each with when its check-in is open and its totals. */
export const checkInStages = endpoint('checkIn.stages', 'GET /blade-exam/checkIn/stages', {
  title: '签到：考试项目',
  access: ['checkin'],
  answer: list(stageShape),
})

/** The caller's rooms of a stage with their totals and proctors. */
export const checkInRooms = endpoint('checkIn.rooms', 'GET /blade-exam/checkIn/rooms', {
  title: '签到：考场',
  access: ['checkin'],
  query: { itemId },
  answer: list(roomShape),
})

/** Everything that was noted at the check-in of a room, the latest first. */
export const checkInRecords = endpoint('checkIn.records', 'GET /blade-exam/checkIn/records', {
  title: '签到：登记记录',
  access: ['checkin'],
  query: { roomId },
  answer: list(
    group({
      id: markId,
      kind: words('登记', ...markKinds),
      undoes: maybe(markId),
      reason: maybe(text('原因')),
      conflict: maybe(conflict),
      counts: truth('是否计入'),
      rehearsal,
      time: dateTime('登记时间'),
      deviceTime: dateTime('设备时间'),
      receiveTime: dateTime('收到时间'),
      ...pick(Examinationticket, 'seatNo', 'name', 'ticketNo').of,
      by: maybe(by),
    }),
  ),
})

/** Who can be assigned to the rooms of a stage as a proctor. */
export const stageProctors = endpoint('checkIn.proctors', 'GET /blade-exam/checkIn/proctors', {
  title: '签到：可安排的监考员',
  access: ['checkin_appoint'],
  query: { itemId },
  answer: list(proctorShape),
})

/** Assigns proctors to a room in place of its present ones. */
export const appointProctors = endpoint('checkIn.appoint', 'POST /blade-exam/checkIn/appoint', {
  title: '签到：安排监考员',
  access: ['checkin_appoint'],
  body: { roomId, userIds: list(id('监考员'), { max: 20 }) },
})

/** What a device needs to check people in without a network, for the real check-in or for a rehearsal. */
export const doorBundle = endpoint('checkIn.bundle', 'GET /blade-exam/checkIn/bundle', {
  title: '签到：下载名单',
  access: ['checkin_act'],
  query: { roomId, rehearsal: sometimes(rehearsal) },
  answer: group({
    rehearsal,
    room: group({
      ...placeShape.of,
      itemId,
      examId: id('考试'),
      tenantId: text('租户'),
      ...pick(Examination, 'examName').of,
      ...pick(Examinationitem, 'itemName').of,
      ...times,
      latestTime: dateTime('最迟入场'),
    }),
    roster: list(seatedShape),
    publicKey: text('公钥'),
    revoked: list(text('已作废的准考证号')),
    rooms: list(group({ ...placeShape.of, serial: integer('考场序号') })),
    serverTime: instant,
    validUntil: instant,
  }),
})

const sentMark = {
  id: markId,
  ticketId,
  at: instant,
  undoes: optional(markId),
  reason: optional(text('原因', { maxLength: 200 })),
  code: optional(text('二维码内容', { maxLength: 500 })),
}
const why = text('原因', { maxLength: 200 })

/** Notes of one call at most; a room has at most 99 people. */
const most = 300

/** Takes the notes of a device. An undo names the note and a reason; a note about broken rules has a reason, too. */
export const syncMarks = endpoint('checkIn.sync', 'POST /blade-exam/checkIn/sync', {
  title: '签到：上传登记',
  access: ['checkin_act'],
  body: {
    roomId: sometimes(roomId),
    rehearsal: sometimes(rehearsal),
    events: list(
      either(
        group({ ...sentMark, kind: words('登记', 'arrive', 'absent') }),
        group({ ...sentMark, kind: words('登记', 'breach'), reason: why }),
        group({ ...sentMark, kind: words('登记', 'undo'), undoes: markId, reason: why }),
      ),
      { max: most },
    ),
  },
  answer: group({
    accepted: list(markId),
    conflicts: list(group({ id: markId, ticketId, reason: conflict, by, at: instant })),
    // All notes of the room that count, by ticket; empty for a room that is not the caller's any more.
    marks: maybe(keyed(list(toldMarkShape))),
  }),
})

/** Deletes what was noted in rehearsals in the caller's rooms of a stage. */
export const clearRehearsal = endpoint('checkIn.clearRehearsal', 'POST /blade-exam/checkIn/clearRehearsal', {
  title: '签到：清除演练记录',
  access: ['checkin_act'],
  body: { itemId },
})

/** A stage in which the caller has rooms. */
export type Stage = Wire<typeof stageShape>
/** A room of a stage with its proctors. */
export type Room = Wire<typeof roomShape>
/** Where a room is. */
export type RoomPlace = Wire<typeof placeShape>
/** A note that the server knows, and who made it. */
export type ToldMark = Wire<typeof toldMarkShape>
/** Somebody who may sit in the room. */
export type Seated = Wire<typeof seatedShape>
/** What a device needs without a network. */
export type Bundle = AnswerOf<typeof doorBundle>
/** A note as a device sends it. */
export type SentMark = BodyOf<typeof syncMarks>['events'][number]
/** What became of notes that were sent. */
export type Synced = AnswerOf<typeof syncMarks>
