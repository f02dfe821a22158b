import {
  type AnswerOf,
  count,
  dateTime,
  download,
  either,
  endpoint,
  flag,
  group,
  id,
  integer,
  keyed,
  list,
  maybe,
  openGroup,
  optional,
  pageOf,
  pageWith,
  paging,
  pick,
  sheetCountsShape,
  sheetUpload,
  sometimes,
  text,
  truth,
  type Wire,
  words,
} from '#engine'
import { Examination } from '#schemas/exams/examination'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Examroom } from '#schemas/exams/examroom'
import { School } from '#schemas/exams/school'
import { Signup } from '#schemas/sign-up/signup'
import { Examinationticket } from '#schemas/tickets/examinationticket'
import { ticketPictureNames } from '#schemas/tickets/ticket-pictures'
import { pictureFields, Ticketnotice } from '#schemas/tickets/ticketnotice'
import { Ticketremark } from '#schemas/tickets/ticketremark'
import { Paper } from './rules/paper.ts'

const examId = id('考试')
const itemId = id('考试项目')
const reason = optional(text('原因'))
/** How many rows a call has changed. */
const num = group({ num: count('条数') })

/** A stage and how far its seats are. */
const stageInfoShape = group({
  itemId,
  ...pick(Examinationitem, 'itemName', 'startTime', 'endTime', 'seatStatus', 'ticketRelease').of,
  people: count('有效考生'),
  rooms: count('考场数'),
  capacity: count('可用座位'),
  open: count('未完成人数'),
  moving: count('改报未完成人数'),
})

/** Who sits where. */
const seatShape = group({
  signupId: id('报名'),
  roomId: id('考场'),
  seatNo: integer('座位号'),
  row: integer('排'),
  col: integer('列'),
  ...pick(Signup, 'name', 'signNo', 'unit', 'code').of,
  ticketNo: maybe(text('准考证号')),
})

/** A room with its seats. */
const seatingRoomShape = group({
  roomId: id('考场'),
  ...pick(Examroom, 'roomNo', 'roomName', 'capacity', 'isSpecial').of,
  schoolName: text('考点名称'),
  reserve: count('预留座位'),
  cols: integer('列数'),
  rows: integer('排数'),
  seats: list(seatShape),
})

/** Stages of an exam whose seats are drawn, with how far each is. */
export const seatingStages = endpoint('tickets.stages', 'GET /blade-exam/examination/getAllotStages', {
  title: '座位编排：考试项目',
  access: ['allot'],
  values: { examId },
  answer: list(stageInfoShape),
})

/** A stage's plan: its figures, how it was drawn, and every room with who sits where. */
export const seatingPlan = endpoint('tickets.plan', 'GET /blade-exam/examination/getAllotInfo', {
  title: '座位编排：查看',
  access: ['allot'],
  values: { itemId },
  answer: group({
    stage: stageInfoShape,
    plan: maybe(
      group({
        strategy: integer('编排方式'),
        seed: text('随机种子'),
        options: openGroup({ snake: sometimes(truth('按列蛇形排列')) }),
        total: count('人数'),
        conflicts: count('同岗位相邻数'),
        time: dateTime('编排时间'),
      }),
    ),
    rooms: list(seatingRoomShape),
  }),
})

/** Draws the seats of a stage as a draft. */
export const drawSeats = endpoint('tickets.draw', 'POST /blade-exam/examination/allotSeat', {
  title: '座位编排：编排',
  access: ['allot_act'],
  values: {
    itemId,
    strategy: optional(integer('编排方式')),
    reserve: optional(count('每考场预留座位')),
    seed: optional(text('随机种子')),
    snake: sometimes(truth('按列蛇形排列')),
    groupBy: sometimes(list(text('不同场'))),
  },
  answer: group({
    total: count('人数'),
    rooms: count('考场数'),
    unplaced: list(group({ id: id('报名'), reason: text('原因') })),
    conflicts: count('同岗位相邻数'),
    seed: text('随机种子'),
  }),
})

/** Moves somebody in the draft to another seat; the two change places where it is taken. */
export const swapSeats = endpoint('tickets.swap', 'POST /blade-exam/examination/allotSwap', {
  title: '座位编排：换座',
  access: ['allot_act'],
  values: {
    itemId,
    signupId: id('报名'),
    roomId: id('考场'),
    seatNo: integer('座位号'),
    seen: sometimes(text('看到的报名')),
  },
})

/** Deletes the draft. */
export const clearSeats = endpoint('tickets.clear', 'POST /blade-exam/examination/clearAllot', {
  title: '座位编排：清空',
  access: ['allot_act'],
  values: { itemId },
})

/** Locks the draft and makes the tickets. */
export const lockSeats = endpoint('tickets.lock', 'POST /blade-exam/examination/lockAllot', {
  title: '座位编排：锁定',
  access: ['allot_act'],
  values: { itemId },
  answer: num,
})

/** Unlocks the plan; the tickets made from it are removed. */
export const unlockSeats = endpoint('tickets.unlock', 'POST /blade-exam/examination/unlockAllot', {
  title: '座位编排：解锁',
  access: ['allot_act'],
  values: { itemId },
})

/** Releases the tickets of a stage. */
export const releaseTickets = endpoint('tickets.release', 'POST /blade-exam/examination/releaseTicket', {
  title: '准考证：发布',
  access: ['allot_release'],
  values: { itemId },
  answer: num,
})

/** Recalls the tickets of a stage, with a reason. */
export const recallTickets = endpoint('tickets.recall', 'POST /blade-exam/examination/recallTicket', {
  title: '准考证：撤回',
  access: ['allot_release'],
  values: { itemId, reason },
  answer: num,
})

/** Tickets by their ids, comma-joined under either name, or all of a stage. */
const someTickets = { itemId: optional(itemId), ticketIds: optional(text('准考证')), ids: optional(text('准考证')) }

/** Voids tickets, with a reason. */
export const voidTickets = endpoint('tickets.void', 'POST /blade-exam/examination/voidTicket', {
  title: '准考证：作废',
  access: ['allot_release'],
  values: { ...someTickets, reason },
  answer: num,
})

/** Reissues tickets, with a reason. */
export const reissueTickets = endpoint('tickets.reissue', 'POST /blade-exam/examination/reissueTicket', {
  title: '准考证：补发',
  access: ['allot_release'],
  values: { ...someTickets, reason },
  answer: num,
})

/** Removes tickets that were never released. */
export const removeTickets = endpoint('tickets.remove', 'POST /blade-exam/examination/deleteTicket', {
  title: '准考证：删除',
  access: ['allot_release'],
  values: someTickets,
  answer: num,
})

/** The workbook to fill in before schools, or sites with their rooms, are taken in. */
export const schoolTemplate = endpoint('tickets.schoolTemplate', 'GET /blade-school/school/getExcel', {
  title: '考点：导入模板',
  access: ['school_import', 'school'],
  query: { code: words('模板', 'college', 'site') },
  answer: download('xlsx'),
})

/** The workbook of a stage's sites and rooms. */
export const roomBook = endpoint('tickets.roomBook', 'GET /blade-exam/examination/getSchoolExcel', {
  title: '考点考场：模板',
  access: ['allot_act', 'examroom_add'],
  also: ['POST /blade-exam/examination/getSchoolExcel'],
  values: { itemId },
  answer: download('xlsx'),
})

const stageBook = { itemId, mode: sometimes(words('导入方式', 1, 2)) }

/** Takes sites and rooms of a stage from a workbook. */
export const importRooms = endpoint('tickets.importRooms', 'POST /blade-exam/examination/importSchool', {
  title: '考点考场：导入',
  access: ['allot_act', 'examroom_add'],
  upload: sheetUpload,
  work: 'import',
  values: stageBook,
  answer: sheetCountsShape,
})

/** Who sits where in a stage as a workbook. */
export const seatBook = endpoint('tickets.seatBook', 'GET /blade-exam/examination/exportTicketExcel', {
  title: '考生座位：导出',
  access: ['allot_act', 'examinationticket_export'],
  values: { itemId },
  answer: download('xlsx'),
})

/** Takes the seats of a stage from a workbook. */
export const importSeats = endpoint('tickets.importSeats', 'POST /blade-exam/examination/importTicket', {
  title: '考生座位：导入',
  access: ['allot_act'],
  upload: sheetUpload,
  work: 'import',
  values: stageBook,
  answer: sheetCountsShape,
})

/** What is still missing for a ticket: the code of the refusal, 0 when it can be downloaded. */
const stepCode = integer('待办代码')
const stepMsg = text('待办说明')

/** A ticket of the caller's own; `msg` says when one that is not released yet will be. */
const ownTicketShape = group({
  ticketId: id('准考证'),
  ...pick(Examinationticket, 'signupId', 'examId', 'itemId', 'startTime', 'endTime', 'ticketStatus').of,
  examName: text('考试名称'),
  itemName: text('项目名称'),
  ...pick(Examinationticket, 'ticketNo', 'address', 'roomNo', 'seatNo').of,
  downStart: maybe(Examinationitem.properties.ticketStartTime),
  downEnd: maybe(Examinationitem.properties.ticketEndTime),
  stepCode,
  stepMsg: sometimes(stepMsg),
  msg: sometimes(text('准考证何时发布')),
})

/** A stage with tickets, and how many there are in each state. */
const ticketStageShape = group({
  examId,
  itemId,
  ...pick(Examination, 'examName').of,
  ...pick(Examinationitem, 'itemName', 'startTime').of,
  ticketNum: count('准考证数'),
  waitNum: count('未发布数'),
  releasedNum: count('已发布数'),
  voidNum: count('已作废数'),
})

/** Tickets: a candidate's own, for staff the stages that have some. */
export const ticketList = endpoint('tickets.list', 'GET /blade-exam/examination/getExamTicketList', {
  title: '准考证：我的准考证、各考试的准考证',
  access: 'signed-in',
  query: { ...paging, examName: optional(text('考试名称', { maxLength: 100 })) },
  answer: pageOf(either(ownTicketShape, ticketStageShape)),
})

/** A ticket's sheet in words; `photo` is a data URI and `qr` the text of its code. */
const ticketSheetShape = group({
  ...pick(Examinationticket, 'ticketNo', 'name', 'code', 'address', 'roomNo', 'seatNo', 'paper').of,
  ...pick(Examinationticket, 'startTime', 'endTime', 'latestTime').of,
  ...pick(Examination, 'examName', 'organizer', 'contactPhone').of,
  itemName: text('项目名称'),
  sex: text('性别'),
  idCard: text('证件号码'),
  photo: text('照片'),
  unit: text('报考单位'),
  postName: text('岗位名称'),
  siteName: text('考点名称'),
  traffic: School.properties.traffic,
  roomName: Examroom.properties.roomName,
  subject: text('科目'),
  notes: list(text('考生须知')),
  qr: text('二维码内容'),
})

/** A ticket as it is shown on a screen. */
export const ticketSheet = endpoint('tickets.sheet', 'GET /blade-exam/examination/getTicketInfo', {
  title: '准考证：查看',
  access: 'signed-in',
  values: { id: id('准考证') },
  answer: ticketSheetShape,
})

/** One ticket as a PDF, or the papers of a stage or room for staff. */
export const ticketPapers = endpoint('tickets.papers', 'GET /blade-signup/signup/exportTicket', {
  title: '准考证：下载、打印考务材料',
  access: 'signed-in',
  work: 'print',
  values: { id: id('准考证、考试项目或考场'), type: sometimes(words('文件类型', ...Object.values(Paper))) },
  answer: download('pdf', 'xlsx'),
})

/** Tickets that were chosen, in the order in which they are named, as one PDF. */
export const printTickets = endpoint('tickets.print', 'GET /blade-ticket/examinationticket/print', {
  title: '准考证：打印所选',
  access: ['examinationticket_export'],
  work: 'print',
  query: { ids: text('准考证', { maxLength: 12_000 }) },
  answer: download('pdf'),
})

/** What the text of a ticket's code says, to anybody. */
export const verifyTicket = endpoint('tickets.verify', 'GET /public/verify', {
  title: '准考证：核验',
  access: 'public',
  values: { code: text('二维码内容') },
  answer: group({
    valid: truth('是否有效'),
    reason: sometimes(text('无效的原因')),
    name: sometimes(text('姓名')),
    roomNo: sometimes(text('考场号')),
    seatNo: sometimes(text('座位号')),
    ticketNo: sometimes(text('准考证号')),
  }),
})

/** A picture that an exam can ask for before a ticket is downloaded. */
const pictureSlot = words('材料', ...ticketPictureNames)

/** A stage, or an exam whose first stage with a ticket is meant; older clients call the exam `eid`. */
const stageMeant = { itemId: optional(itemId), examId: optional(examId), eid: optional(examId) }

/** What a candidate still has to do before the ticket can be downloaded. */
export const askedPictures = endpoint('tickets.asked', 'GET /blade-ticketNotice/ticketnotice/getTicketNoticeIsUpload', {
  title: '准考证：下载前要求',
  access: 'candidate',
  values: stageMeant,
  answer: group({
    needPics: list(group({ slot: pictureSlot, label: text('材料名称') })),
    canDownload: truth('能否下载'),
    stepCode,
    stepMsg,
    ticketId: sometimes(id('准考证')),
    picState: sometimes(Ticketnotice.properties.picState),
    picRemark: sometimes(text('材料意见')),
    uploaded: sometimes(truth('是否已上传')),
    needSure: sometimes(truth('是否须确认通知')),
    sured: sometimes(truth('是否已确认通知')),
    notice: sometimes(text('待确认的通知')),
  }),
})

/** Submits pictures: files under the names of their slots, or ids of files that were uploaded before. */
export const savePictures = endpoint(
  'tickets.savePictures',
  'POST /blade-ticketNotice/ticketnotice/savePicAndDownInfo',
  {
    title: '准考证：提交材料',
    access: 'candidate',
    upload: { files: ticketPictureNames.length, KB: 20 * 1024 },
    values: {
      ...stageMeant,
      consent: flag('是否同意'),
      ...pictureFields,
    },
    answer: pick(Ticketnotice, 'picState'),
  },
)

/** Enters in the register that a candidate has taken the ticket. */
export const noteDownload = endpoint(
  'tickets.noteDownload',
  'POST /blade-ticketNotice/ticketnotice/saveTicketDownInfo',
  {
    title: '准考证：登记下载',
    access: 'candidate',
    values: { ...stageMeant, type: optional(Ticketnotice.properties.type) },
    answer: group({ downNum: count('下载次数') }),
  },
)

/** What narrows the register of downloads down. */
const downFilters = {
  examId: optional(examId),
  itemId: optional(itemId),
  downloaded: sometimes(words('是否已下载', 0, 1)),
  picState: optional(integer('材料状态', { minimum: 0, maximum: 4 })),
  name: optional(text('姓名', { maxLength: 20 })),
  ticketNo: optional(text('准考证号', { maxLength: 30 })),
}

/** A person who holds a ticket, with what the register of downloads says; `id` is empty for somebody who is not in it. */
const downRowShape = group({
  id: maybe(id('登记')),
  ticketId: id('准考证'),
  ...pick(Examinationticket, 'examId', 'itemId', 'name', 'ticketNo', 'unit', 'code', 'roomNo', 'seatNo').of,
  examName: text('考试名称'),
  itemName: text('项目名称'),
  picLabels: maybe(keyed(maybe(text('材料名称')))),
  ...pick(Ticketnotice, 'type', 'picState', 'picRemark', 'sureTime', ...ticketPictureNames).of,
  ...pick(Ticketnotice, 'firstDownTime', 'lastDownTime', 'lastDownIp').of,
  downNum: count('下载次数'),
  downloaded: words('是否已下载', 0, 1),
})

/** Who has downloaded the ticket and who has not. */
export const downloadList = endpoint('tickets.downloads', 'GET /blade-ticketNotice/ticketnotice/ticketDownList', {
  title: '准考证下载登记：名单',
  access: ['ticketnotice'],
  query: { ...paging, ...downFilters },
  answer: pageWith(downRowShape, {
    counts: group({
      total: count('持证人数'),
      downloaded: count('已下载'),
      missing: count('未下载'),
      waiting: count('材料待核验'),
      refused: count('材料不合格'),
    }),
  }),
})

/** The same people as a workbook. */
export const downloadBook = endpoint(
  'tickets.downloadBook',
  'GET /blade-ticketNotice/ticketnotice/exportTicketDownExcel',
  {
    title: '准考证下载登记：导出',
    access: ['ticketnotice_export'],
    query: downFilters,
    answer: download('xlsx'),
  },
)

/** Adds or changes a remark; clients know the call by this name beside `save`. */
export const saveRemark = endpoint('tickets.saveRemark', 'POST /blade-ticketRemark/ticketremark/submit', {
  title: '准考证备注：保存',
  access: ['ticketremark_add', 'ticketremark_edit'],
  values: {
    id: optional(id('备注')),
    ...pick(Ticketremark, 'examId', 'itemId', 'ticketId', 'remarkType', 'content', 'sort').of,
  },
})

/** The remarks of an exam, or of one of its stages with those for all stages. */
export const remarkList = endpoint('tickets.remarks', 'GET /blade-ticketRemark/ticketremark/examRemarkList', {
  title: '准考证备注：某考试的备注',
  access: ['ticketremark'],
  query: { examId, itemId: optional(itemId) },
  answer: list(
    group({
      id: id('备注'),
      ...pick(Ticketremark, 'examId', 'itemId', 'ticketId', 'remarkType', 'content', 'sort').of,
    }),
  ),
})

/** A sample ticket with a remark on it. */
export const remarkPreview = endpoint('tickets.preview', 'GET /blade-ticketRemark/ticketremark/preview', {
  title: '准考证备注：预览',
  access: ['ticketremark_view'],
  work: 'print',
  query: { id: id('备注') },
  answer: download('pdf'),
})

/** A stage and how far its seats are. */
export type StageInfo = Wire<typeof stageInfoShape>
/** Who sits where. */
export type Seat = Wire<typeof seatShape>
/** A room with its seats. */
export type SeatingRoom = Wire<typeof seatingRoomShape>
/** A ticket of a candidate; `stepCode` is the code of what is still missing, 0 when it can be downloaded. */
export type TicketLine = Wire<typeof ownTicketShape>
/** A ticket's sheet in words. */
export type TicketSheet = Wire<typeof ticketSheetShape>
/** Somebody who holds a ticket, with what the register of downloads says. */
export type DownRow = Wire<typeof downRowShape>
/** The kinds of them that are counted. */
export type DownKind = keyof AnswerOf<typeof downloadList>['counts']
