import {
  ExamineStatus,
  NoticeStatus,
  SignStatus,
  TicketRemarkType,
  TipScope,
  ViewAudience,
} from '#schemas/dictionaries'
import type { ViewContent } from '#schemas/system/savedview'
import { atDay, type Demo, type DemoExam } from './exams.ts'
import { attach } from './files.ts'
import type { Pictures } from './sign-ups.ts'

const news = [
  {
    title: '我区召开卫健系统公开招聘工作部署会',
    category: '1',
    isTop: 1,
    summary: '会议对报名、资格审查、考务和安全保障作了安排。',
    content: '<p>会议要求坚持公开、平等、竞争、择优，全程接受监督，为考生提供便利。</p>',
  },
  {
    title: '事业单位公开招聘人员暂行规定（节选）',
    category: '2',
    isTop: 0,
    summary: '招聘条件、程序与纪律。',
    content: '<p>事业单位新进人员，除国家另有规定外，均应实行公开招聘。应聘人员须具备岗位所要求的条件。</p>',
  },
] as const

const tips = [
  ['照片不合格', 3, '证件照不符合要求，请上传近期免冠、正面、浅色背景的照片。'],
  ['证书不清晰', 3, '学历、学位或资格证书扫描件不清晰或不完整，请重新上传原件扫描件。'],
  ['专业不符', 2, '所学专业不符合岗位的专业要求。'],
  ['年龄不符', 2, '年龄不符合岗位要求，计算基准日见招聘公告。'],
  ['材料齐全', 1, '材料齐全，符合报考条件。'],
] as const

const remark = `<ol><li>请携带本准考证和身份证原件，提前 30 分钟到达考点，对号入座。</li><li>开考 30 分钟后不得入场，考试结束前 30 分钟内方可交卷。</li>
<li>手机等通讯设备须关机并存放在指定地点，带入座位的按违纪处理。</li><li>请自备黑色签字笔、2B 铅笔和橡皮。</li></ol>`

const posts = [
  [1, '局长'],
  [2, '人事科长'],
  [3, '考务专员'],
  [3, '财务专员'],
] as const

/** What is printed on the tickets of an exam. */
export async function makeRemarks({ db, tenantId, staff, now }: Demo, { id: examId }: DemoExam): Promise<void> {
  const stamp = { tenantId, createUser: staff.kaowu, createTime: now, updateTime: now }
  await db
    .insertInto('ticketremark')
    .values({ ...stamp, examId, remarkType: TicketRemarkType.instructions, content: remark, sort: 1 })
    .execute()
}

/** Samples that candidates may look at and take. */
async function makeSamples({ db, tenantId, staff, now }: Demo, papers: Pictures['papers']): Promise<void> {
  const list = [
    { drawn: papers.idCard, fileName: '身份证扫描件样例' },
    { drawn: papers.diploma, fileName: '毕业证书扫描件样例' },
    { drawn: papers.certificate, fileName: '执业资格证书扫描件样例' },
  ]
  const userId = staff.kaowu as string
  const owned = list.map(({ drawn, fileName }) => ({
    drawn,
    name: `${fileName}.jpg`,
    ownerType: 'files' as const,
    userId,
  }))
  const ids = await attach(db, tenantId, now, owned)
  const rows = list.map(({ drawn, fileName }, i) => ({
    tenantId,
    fileName,
    category: '3',
    attachId: ids[i] as string,
    fileSize: drawn.size,
    ext: 'jpg',
    downNum: 0,
    filesStatus: NoticeStatus.released,
    sort: i + 1,
    createUser: userId,
    createTime: now,
    updateTime: now,
  }))
  await db.insertInto('files').values(rows).execute()
}

/** News, phrases that reviewers share, duties, a view of a list, and files to take. */
export async function makeContent(demo: Demo, papers: Pictures['papers']): Promise<void> {
  const { db, tenantId, staff, now } = demo
  const stamp = { tenantId, createUser: staff.kaowu, createTime: now, updateTime: now }
  const rows = news.map((one, i) => ({
    ...stamp,
    ...one,
    source: '清源区卫生健康局',
    releaseTime: atDay(now, -8 - i),
    viewNum: 0,
    newsStatus: NoticeStatus.released,
  }))
  await db.insertInto('news').values(rows).execute()
  const phrases = tips.map(([title, tipType, content], i) => ({
    ...stamp,
    title,
    tipType,
    content,
    scope: TipScope.everyone,
    userId: staff.kaowu!,
    sort: i + 1,
  }))
  await db.insertInto('examinetip').values(phrases).execute()
  const duties = posts.map(([category, postName], i) => ({
    ...stamp,
    category,
    postName,
    postCode: `P0${i + 1}`,
    sort: i + 1,
  }))
  await db.insertInto('post').values(duties).execute()
  const waiting: ViewContent = {
    filters: {
      signStatus: SignStatus.submitted,
      examine: ExamineStatus.pending,
      submitTime_datelt: '$today-1 00:00:00',
    },
    sort: 'submitTime',
  }
  const view = { resource: 'signup', title: '昨天以前提交的待审', content: JSON.stringify(waiting) }
  await db
    .insertInto('savedview')
    .values({ ...stamp, ...view, userId: staff.kaowu!, audience: ViewAudience.everyone })
    .execute()
  await makeSamples(demo, papers)
}
