import { date, flag, money, optional } from '#engine'
import { ItemRange } from '#schemas/dictionaries/exam'
import { ExamineMode, ReduceBase } from '#schemas/dictionaries/sign-up'

/** What a new exam may take over from another one, with what people call it. Nothing of a candidate is among it. */
export const takenParts = {
  positions: '招聘岗位',
  stages: '考试项目',
  form: '报名表',
  papers: '附件项',
  staff: '工作人员',
  texts: '须知与承诺',
} as const

/** Name of a part that is taken over. */
export type TakenPart = keyof typeof takenParts

export const takenPartNames = Object.keys(takenParts) as [TakenPart, ...TakenPart[]]

/** What is asked for a new exam beside its own fields. */
export const startFields = {
  examDay: date('笔试日期'),
  fee: optional(money('笔试收费', { help: '不收费的不填' })),
  items: flag('常用报名表', { default: 1 }),
} as const

/** Items of the library that the usual form does not ask for. */
const unusual: readonly string[] = ['hobbies', 'awards']

/** Whether the usual form asks for an item of the library. */
export const isUsual = (itemCode: string): boolean => !unusual.includes(itemCode)

const picture = 'jpg,jpeg,png'
const scan = { maxSize: 5120, exts: `${picture},pdf`, isPhoto: 0 } as const

/** Papers that are usually asked for, by their code. */
export const usualPapers = {
  photo: {
    fileName: '证件照',
    fileDesc: '近期免冠正面证件照，浅色背景',
    required: 1,
    minNum: 1,
    maxNum: 1,
    maxSize: 2048,
    exts: picture,
    isPhoto: 1,
    photoW: 295,
    photoH: 413,
  },
  idCard: {
    fileName: '身份证',
    fileDesc: '人像面和国徽面',
    required: 1,
    minNum: 1,
    maxNum: 2,
    ...scan,
  },
  diploma: {
    fileName: '学历证书',
    fileDesc: '与所填最高学历一致',
    required: 1,
    minNum: 1,
    maxNum: 3,
    ...scan,
  },
  certificate: {
    fileName: '执业证书',
    fileDesc: '岗位要求执业资格的须上传',
    required: 0,
    minNum: 0,
    maxNum: 5,
    ...scan,
  },
} as const

/** Code of a paper that is usually asked for. */
export type UsualPaper = keyof typeof usualPapers

export const usualPaperNames = Object.keys(usualPapers) as [UsualPaper, ...UsualPaper[]]

/** Item types of the dictionary, as a fresh installation has them. */
const written = '1'
const interview = '2'

/** The written exam: it has seats and tickets. */
const writtenStage = {
  itemName: '笔试',
  itemType: written,
  candidateRule: ItemRange.allValid,
  needSeat: 1,
  needTicket: 1,
  fullScore: '100',
  sort: 1,
} as const

/** Stages that an exam is begun with: the first is on the day of the written exam. */
export const stageSets = {
  written: [writtenStage],
  both: [
    { ...writtenStage, weight: '0.6' },
    {
      itemName: '面试',
      itemType: interview,
      candidateRule: ItemRange.shortlisted,
      needSeat: 0,
      needTicket: 0,
      fullScore: '100',
      weight: '0.4',
      sort: 2,
    },
  ],
  none: [],
} as const

/** When the stages after the first are held: days after the written exam, and the times of that day. */
export const laterStage = { days: 30, begin: '09:00', end: '17:00' } as const

/** Beginnings of exams: what is set, and what they are given. */
export const examTemplates = {
  recruitment: {
    title: '公开招聘',
    note: '笔试 + 面试 6:4，一审',
    code: 'ZP',
    exam: { examType: '1', examineMode: ExamineMode.single },
    stages: 'both',
    fee: 10_000,
    items: 1,
    papers: usualPaperNames,
  },
  nursing: {
    title: '护理',
    note: '笔试 100 分，一审',
    code: 'HL',
    exam: { examType: '1', examineMode: ExamineMode.single },
    stages: 'written',
    fee: 10_000,
    items: 1,
    papers: usualPaperNames,
  },
  talents: {
    title: '高层次',
    note: '笔试 + 面试 6:4，初审和复审，不收费',
    code: 'GC',
    exam: { examType: '2', examineMode: ExamineMode.firstAndSecond },
    stages: 'both',
    fee: null,
    items: 1,
    papers: usualPaperNames,
  },
  blank: {
    title: '空白',
    note: '考试项目、报名表和附件项以后再设',
    code: 'KS',
    exam: { examType: '1', examineMode: ExamineMode.single },
    stages: 'none',
    fee: null,
    items: 0,
    papers: [],
  },
} as const

/** Name of a beginning. */
export type TemplateName = keyof typeof examTemplates

export const templateNames = Object.keys(examTemplates) as [TemplateName, ...TemplateName[]]

/** What every exam begins with unless something else is said. */
export const startRules = { reduceBase: ReduceBase.approved, allowAdjust: 1, consentVersion: '1.0' } as const
