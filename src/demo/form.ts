import type { Demo, DemoExam } from './exams.ts'

/** Fields of the library that the demonstration's exams ask for. */
const asked = [
  'nation',
  'politics',
  'householdRegion',
  'address',
  'email',
  'education',
  'degree',
  'school',
  'major',
  'graduateDate',
  'freshGraduate',
  'studies',
  'workStart',
  'workUnit',
  'jobs',
  'title',
  'certificates',
  'relatives',
]

/** Files that the demonstration's exams ask for. */
const files = [
  {
    fileCode: 'photo',
    fileName: '证件照',
    fileDesc: '近期免冠正面证件照，浅色背景',
    required: 1,
    maxNum: 1,
    maxSize: 2048,
    exts: 'jpg,jpeg,png',
    isPhoto: 1,
    photoW: 295,
    photoH: 413,
  },
  {
    fileCode: 'idCard',
    fileName: '身份证',
    fileDesc: '人像面和国徽面',
    required: 1,
    minNum: 1,
    maxNum: 2,
    maxSize: 5120,
    exts: 'jpg,jpeg,png,pdf',
    isPhoto: 0,
  },
  {
    fileCode: 'diploma',
    fileName: '毕业证书',
    fileDesc: '与所填最高学历一致',
    required: 1,
    minNum: 1,
    maxNum: 3,
    maxSize: 5120,
    exts: 'jpg,jpeg,png,pdf',
    isPhoto: 0,
  },
  {
    fileCode: 'certificate',
    fileName: '执业资格证书',
    fileDesc: '岗位要求执业资格的须上传',
    required: 0,
    maxNum: 5,
    maxSize: 5120,
    exts: 'jpg,jpeg,png,pdf',
    isPhoto: 0,
  },
] as const

/** The fields and files of a form. */
interface Wanted {
  /** Codes of the library, in their order. */
  items?: readonly string[]
  /** Leaves out the files. */
  isBrief?: boolean
}

/** The form of each exam: fields from the library and files. */
export async function makeForms(
  { db, tenantId, staff, now }: Demo,
  exams: readonly DemoExam[],
  { items: wanted = asked, isBrief = false }: Wanted = {},
): Promise<void> {
  const stamp = { tenantId, createUser: staff.kaowu, createTime: now, updateUser: staff.kaowu, updateTime: now }
  const library = await db
    .selectFrom('items')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('itemCode', 'in', wanted)
    .where('isDeleted', '=', 0)
    .execute()
  const text = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value))
  for (const { id: examId } of exams) {
    const items = library.map(one => ({
      ...stamp,
      examId,
      itemsId: one.id,
      itemCode: one.itemCode,
      itemName: one.itemName,
      groupName: one.groupName,
      inputType: one.inputType,
      dictCode: one.dictCode,
      required: one.required,
      rules: text(one.rules),
      showWhen: text(one.showWhen),
      columns: text(one.columns),
      span: one.span,
      sort: wanted.indexOf(one.itemCode) * 10,
    }))
    await db.insertInto('examsignitems').values(items).execute()
    if (isBrief) continue
    await db
      .insertInto('examsignfiles')
      .values(files.map((file, i) => ({ ...stamp, ...file, examId, sort: (i + 1) * 10 })))
      .execute()
  }
}
