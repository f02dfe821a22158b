import { entity, filled, flag, integer, optional, type Row, ref, text, wordDictionary } from '#engine'

const cell = (title: string) => filled(optional(text(title)))

/** What a public list may say of a person or a position, as the words that people read. */
export const publicityCells = {
  signNo: cell('报名号'),
  ticketNo: cell('准考证号'),
  name: cell('姓名'),
  sex: cell('性别'),
  birthMonth: cell('出生年月'),
  education: cell('学历'),
  degree: cell('学位'),
  major: cell('专业'),
  unit: cell('单位'),
  postName: cell('岗位'),
  code: cell('岗位代码'),
  planNum: cell('招聘计划数'),
  effectNum: cell('有效报名数'),
  afterNum: cell('核减后计划数'),
  decision: cell('处理'),
  paidNum: cell('缴费人数'),
  score: cell('成绩'),
  totalScore: cell('总成绩'),
  rankNo: cell('岗位排名'),
  outcome: cell('结果'),
}

/** Columns of a public list, by the names of what stands in them. */
export const publicityColumn = wordDictionary(
  'publicity_column',
  '公示栏目',
  Object.fromEntries(Object.entries(publicityCells).map(([name, { title }]) => [name, title])) as Record<
    keyof typeof publicityCells,
    string
  >,
)

export const Publicityrow = entity(
  'publicityrow',
  '公示名单',
  {
    publicityId: filled(ref('公示', 'publicity', { onRemove: 'with' })),
    rowNo: filled(integer('序号', { minimum: 1 })),
    signupId: filled(optional(ref('报名', 'signup'))),
    ...publicityCells,
    remark: optional(text('说明', { maxLength: 100, help: '公示在名单中，不得含有证件号码、手机号码的任何部分' })),
    isShown: filled(flag('列入公示', { default: 1 })),
    omitReason: filled(optional(text('不列入原因', { maxLength: 200 }))),
  },
  { label: 'signNo' },
)
export type Publicityrow = Row<typeof Publicityrow>

declare module '#engine' {
  interface Entities {
    publicityrow: typeof Publicityrow
  }
}
